#include "machines/tiers.hpp"

#include <limits>
#include <string_view>

namespace gable::machines {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// One row per tier; the first row that matches decides. A subtype matches if it begins with one of the names
// ("CXL-DRAM"). Specific-purpose memory (SPM) is memory that the firmware reserves for special use: HBM, or
// CXL if hwloc sees the device or the speed indicates it.
struct Tier {
  const char* name;
  std::string_view subtypes[4];
  std::string_view dax_type;       // decides at once
  bool cxl_device;                 // decides at once
  std::string_view fallback_type;  // decides when the speed does not
  double bandwidth_above;          // times plain memory
  double bandwidth_below;
  double latency_above;
};

constexpr Tier tiers[] = {
    {"HBM", {"MCDRAM", "HBM"}, "", false, "SPM", 1.5, 0, never},
    {"NVM", {"NVM", "PMEM", "NVDIMM", "CXL-NVM"}, "NVM", false, "", never, 0, never},
    {"CXL", {"CXL"}, "", true, "", never, 0.75, 1.5},
    {"GPU", {"GPU"}, "", false, "", never, 0, never},
    {"DRAM", {"DRAM", "DDR"}, "", false, "", never, 0, never},
};

bool has_subtype(const Tier& tier, std::string_view subtype) {
  for (std::string_view name : tier.subtypes) {
    if (!name.empty() && subtype.starts_with(name)) return true;
  }
  return false;
}

}  // namespace

Label label(const std::string& subtype, const std::string& dax_type, bool cxl_device) {
  std::string found = dax_type;
  if (cxl_device) found = dax_type == "NVM" ? "CXL-NVM" : "CXL-DRAM";
  return {subtype.empty() ? found : subtype, dax_type, cxl_device};
}

std::string tier_by_label(const Label& label) {
  for (const Tier& tier : tiers) {
    if (has_subtype(tier, label.subtype)) return tier.name;
  }
  for (const Tier& tier : tiers) {
    if (!tier.dax_type.empty() && tier.dax_type == label.dax_type) return tier.name;
    if (tier.cxl_device && label.cxl_device) return tier.name;
  }
  return {};
}

std::string tier_by_speed(const Speed& speed, const Label& label) {
  for (const Tier& tier : tiers) {
    if (speed.bandwidth > tier.bandwidth_above || speed.latency > tier.latency_above) return tier.name;
    if (speed.bandwidth && *speed.bandwidth < tier.bandwidth_below) return tier.name;
  }
  for (const Tier& tier : tiers) {
    const bool reserved = label.subtype == tier.fallback_type || label.dax_type == tier.fallback_type;
    if (!tier.fallback_type.empty() && reserved) return tier.name;
  }
  return "DRAM";
}

}  // namespace gable::machines
