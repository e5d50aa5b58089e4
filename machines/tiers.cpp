#include "machines/tiers.hpp"

#include <limits>
#include <string_view>

namespace gable::machines {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// One row per tier; the first row that matches decides. A subtype matches if it begins with one of the names
// ("CXL-DRAM"). Specific-purpose memory (SPM) is memory that the firmware reserves for special use: HBM, or
// CXL if hwloc sees the device or the speed indicates it.
struct Signs {
  model::Tier tier;
  std::string_view subtypes[4];
  std::string_view dax_type;       // decides at once
  bool cxl_device;                 // decides at once
  std::string_view fallback_type;  // decides when the speed does not
  double bandwidth_above;          // times plain memory
  double bandwidth_below;
  double latency_above;
};

constexpr Signs tiers[] = {
    {model::Tier::hbm, {"MCDRAM", "HBM"}, "", false, "SPM", 1.5, 0, never},
    {model::Tier::nvm, {"NVM", "PMEM", "NVDIMM", "CXL-NVM"}, "NVM", false, "", never, 0, never},
    {model::Tier::cxl, {"CXL"}, "", true, "", never, 0.75, 1.5},
    {model::Tier::gpu, {"GPU"}, "", false, "", never, 0, never},
    {model::Tier::dram, {"DRAM", "DDR"}, "", false, "", never, 0, never},
};

bool has_subtype(const Signs& signs, std::string_view subtype) {
  for (std::string_view name : signs.subtypes) {
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

model::Tiers tier_by_label(const Label& label) {
  for (const Signs& signs : tiers) {
    if (has_subtype(signs, label.subtype)) return signs.tier;
  }
  for (const Signs& signs : tiers) {
    if (!signs.dax_type.empty() && signs.dax_type == label.dax_type) return signs.tier;
    if (signs.cxl_device && label.cxl_device) return signs.tier;
  }
  return {};
}

model::Tier tier_by_speed(const Speed& speed, const Label& label) {
  for (const Signs& signs : tiers) {
    if (speed.bandwidth > signs.bandwidth_above || speed.latency > signs.latency_above) return signs.tier;
    if (speed.bandwidth && *speed.bandwidth < signs.bandwidth_below) return signs.tier;
  }
  for (const Signs& signs : tiers) {
    const bool reserved = label.subtype == signs.fallback_type || label.dax_type == signs.fallback_type;
    if (!signs.fallback_type.empty() && reserved) return signs.tier;
  }
  return model::plain_tier;
}

}  // namespace gable::machines
