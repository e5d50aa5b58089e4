#include "points/counters/events.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <tuple>

namespace gable::points {

namespace {

using Operation = Flops::Operation;
using Precision = Flops::Precision;

struct FlopEvent {
  std::string_view name;
  int per_count;
  Precision precision;
  int bits;
};

constexpr std::string_view intel = "FP_ARITH_INST_RETIRED_";
constexpr FlopEvent intel_events[] = {
    {"SCALAR_SINGLE", 1, Precision::sp, 0},         {"SCALAR_DOUBLE", 1, Precision::dp, 0},
    {"128B_PACKED_SINGLE", 4, Precision::sp, 128},  {"128B_PACKED_DOUBLE", 2, Precision::dp, 128},
    {"256B_PACKED_SINGLE", 8, Precision::sp, 256},  {"256B_PACKED_DOUBLE", 4, Precision::dp, 256},
    {"512B_PACKED_SINGLE", 16, Precision::sp, 512}, {"512B_PACKED_DOUBLE", 8, Precision::dp, 512}};

// AMD's event counts operations; each tool names its unit masks differently.
constexpr std::array<std::string_view, 3> amd = {"FP_RET_SSE_AVX_OPS_", "RETIRED_SSE_AVX_FLOPS_",
                                                 "RETIRED_SSE_AVX_OPERATIONS_"};

struct AmdEvent {
  std::string_view name;
  Operation operation;
  Precision precision;
};

constexpr AmdEvent amd_events[] = {
    {"ALL", Operation::any, Precision::any},
    {"ANY", Operation::any, Precision::any},
    {"MAC_FLOPS", Operation::fma, Precision::any},
    {"DIV_FLOPS", Operation::div, Precision::any},
    {"MULT_FLOPS", Operation::mul, Precision::any},
    {"ADD_SUB_FLOPS", Operation::add, Precision::any},
    {"DP_MULT_ADD_FLOPS", Operation::fma, Precision::dp},
    {"DP_DIV_FLOPS", Operation::div, Precision::dp},
    {"DP_MULT_FLOPS", Operation::mul, Precision::dp},
    {"DP_ADD_SUB_FLOPS", Operation::add, Precision::dp},
    {"SP_MULT_ADD_FLOPS", Operation::fma, Precision::sp},
    {"SP_DIV_FLOPS", Operation::div, Precision::sp},
    {"SP_MULT_FLOPS", Operation::mul, Precision::sp},
    {"SP_ADD_SUB_FLOPS", Operation::add, Precision::sp},
    {"DOUBLE_ALL", Operation::any, Precision::dp},
    {"SINGLE_ALL", Operation::any, Precision::sp},
};

constexpr std::string_view arm_scaled = "SCALE_OPS_SPEC", arm_fixed = "FIXED_OPS_SPEC";
constexpr std::pair<std::string_view, Precision> arm_precisions[] = {
    {"FP_", Precision::any}, {"FP_SP_", Precision::sp}, {"FP_DP_", Precision::dp}};

constexpr std::string_view load_events[] = {"LD_SPEC",
                                            "MEM_INST_RETIRED_ALL_LOADS",
                                            "MEM_UOPS_RETIRED_ALL_LOADS",
                                            "MEM_UOPS_RETIRED_LOADS_ALL",
                                            "MEM_UOPS_RETIRED_LOADS",
                                            "LS_DISPATCH_LD_DISPATCH",
                                            "LS_DISPATCH_LOADS"};
constexpr std::string_view store_events[] = {"ST_SPEC",
                                             "MEM_INST_RETIRED_ALL_STORES",
                                             "MEM_UOPS_RETIRED_ALL_STORES",
                                             "MEM_UOPS_RETIRED_STORES_ALL",
                                             "MEM_UOPS_RETIRED_STORES",
                                             "LS_DISPATCH_STORE_DISPATCH",
                                             "LS_DISPATCH_STORES"};

template <std::size_t size>
bool is_one_of(const std::string_view (&names)[size], const std::string& name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::optional<Flops> intel_flops(const std::string& name, double count) {
  if (!name.starts_with(intel)) return std::nullopt;
  for (const FlopEvent& event : intel_events) {
    if (name.substr(intel.size()) != event.name) continue;
    return Flops{Operation::any, event.precision, event.bits,
                 static_cast<std::uint64_t>(std::llround(count * event.per_count))};
  }
  return std::nullopt;
}

std::optional<Flops> amd_flops(const std::string& name, double count) {
  for (const std::string_view prefix : amd) {
    if (!name.starts_with(prefix)) continue;
    for (const AmdEvent& event : amd_events) {
      if (name.substr(prefix.size()) != event.name) continue;
      return Flops{event.operation, event.precision, Flops::unknown_bits,
                   static_cast<std::uint64_t>(std::llround(count))};
    }
  }
  return std::nullopt;
}

// Flops and, of events that scale, those of vectors of `sve_bits`; nothing if that length is needed and not
// known.
std::optional<Flops> arm_flops(const std::string& name, double count, int sve_bits) {
  for (const auto& [prefix, precision] : arm_precisions) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view rest = std::string_view(name).substr(prefix.size());
    if (rest == arm_fixed)
      return Flops{Operation::any, precision, Flops::unknown_bits,
                   static_cast<std::uint64_t>(std::llround(count))};
    if (rest == arm_scaled && (sve_bits > 0 || count == 0)) {
      const double scaled = count * sve_bits / 128;
      return Flops{Operation::any, precision, sve_bits, static_cast<std::uint64_t>(std::llround(scaled))};
    }
  }
  return std::nullopt;
}

std::string missing_of_arm(const std::map<std::string, double>& counts, const EventSums& sums) {
  for (const std::string& name : sums.unknown) {
    if (name.ends_with(arm_scaled))
      return name + " (it counts per 128 bits of SVE vectors, whose length this machine does not know)";
  }
  for (const auto& [prefix, precision] : arm_precisions) {
    const std::string scaled = std::string(prefix) + std::string(arm_scaled),
                      fixed = std::string(prefix) + std::string(arm_fixed);
    if (counts.contains(fixed) != counts.contains(scaled)) return counts.contains(fixed) ? scaled : fixed;
  }
  return {};
}

// Counting all flops and a part of them would count that part twice.
void drop_parts(std::vector<Flops>& flops) {
  const auto is_all = [](const Flops& one) {
    return one.operation == Operation::any && one.precision == Precision::any;
  };
  if (std::none_of(flops.begin(), flops.end(), is_all)) return;
  std::erase_if(flops, [&](const Flops& one) { return !is_all(one); });
}

std::string missing_widths(const std::map<std::string, double>& counts) {
  std::string missing;
  for (const FlopEvent& event : intel_events) {
    if (counts.contains(std::string(intel) + std::string(event.name))) continue;
    missing += (missing.empty() ? "" : ", ") + std::string(event.name);
  }
  return missing.empty() ? missing : "FP_ARITH_INST_RETIRED of " + missing;
}

}  // namespace

std::string event_name(std::string_view written) {
  if (const std::size_t slash = written.find('/'); slash != std::string_view::npos) {
    written.remove_prefix(slash + 1);
    written = written.substr(0, written.find('/'));
  }
  const std::size_t colon = written.rfind(':');
  if (colon != std::string_view::npos &&
      written.find_first_not_of("ukhpGHDSWPe", colon + 1) == std::string_view::npos)
    written = written.substr(0, colon);
  std::string name;
  for (const char c : written) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return name;
}

int sve_bits_here() {
  return 8 * (std::max(0, prctl(PR_SVE_GET_VL)) & PR_SVE_VL_LEN_MASK);  // -1 where there is none
}

EventSums sums_of(const std::map<std::string, double>& counts, int sve_bits) {
  EventSums sums;
  bool is_intel = false;
  for (const auto& [name, count] : counts) {
    if (const auto flops = intel_flops(name, count)) {
      sums.flops.push_back(*flops);
      is_intel = true;
    } else if (const auto operations = amd_flops(name, count)) {
      sums.flops.push_back(*operations);
    } else if (const auto of_arm = arm_flops(name, count, sve_bits)) {
      sums.flops.push_back(*of_arm);
    } else if (is_one_of(load_events, name)) {
      sums.loads = sums.loads.value_or(0) + count;
    } else if (is_one_of(store_events, name)) {
      sums.stores = sums.stores.value_or(0) + count;
    } else {
      sums.unknown.push_back(name);
    }
  }
  drop_parts(sums.flops);
  std::sort(sums.flops.begin(), sums.flops.end(), [](const Flops& a, const Flops& b) {
    return std::tuple(a.operation, a.precision, a.vector_bits) <
           std::tuple(b.operation, b.precision, b.vector_bits);
  });
  sums.missing = is_intel ? missing_widths(counts) : missing_of_arm(counts, sums);
  return sums;
}

}  // namespace gable::points
