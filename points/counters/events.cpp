#include "points/counters/events.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "points/counters/flop_events.hpp"

namespace gable::points {

namespace {

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

// The modifiers of perf's event parser (tools/perf/util/parse-events.l).
constexpr std::string_view modifier_letters = "ukhpPGHSDIWebRX";

bool are_modifiers(std::string_view text) {
  return text.find_first_not_of(modifier_letters) == std::string_view::npos;
}

// The events of flops that no family knows.
void add_untold(EventSums& sums, const std::map<std::string, double>& counts, bool is_complete) {
  for (const std::string& name : sums.unknown) {
    if (counts.at(name) == 0) continue;
    const bool by_code = is_raw_code(name);
    if (!by_code && !may_count_flops(name)) continue;
    if (!is_complete) sums.untold.push_back(name);
    // These count other precisions than the events of the family.
    for (const char* other : {"X87", "HALF", "RETIRED2", "BF16", "AMX"}) {
      if (!is_complete || name.find(other) == std::string::npos) continue;
      sums.missing += (sums.missing.empty() ? "those of " : ", ") + name;
      break;
    }
  }
}

}  // namespace

std::string event_name(std::string_view written) {
  if (const std::size_t slash = written.find('/'); slash != std::string_view::npos) {
    written.remove_prefix(slash + 1);
    written = written.substr(0, written.find('/'));
  }
  const std::size_t colon = written.rfind(':');
  if (colon != std::string_view::npos && are_modifiers(written.substr(colon + 1)))
    written = written.substr(0, colon);
  std::string name;
  for (const char c : written) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return name;
}

std::string_view event_modifiers(std::string_view written) {
  const std::size_t at = written.find_last_of("/:");
  if (at == std::string_view::npos || !are_modifiers(written.substr(at + 1))) return {};
  return written.substr(at + 1);
}

std::string_view event_unit(std::string_view written) {
  const std::size_t slash = written.find('/');
  const std::string_view unit = slash == std::string_view::npos ? "" : written.substr(0, slash);
  return unit == "cpu" || unit.starts_with("armv8_pmuv3") ? "" : unit;
}

int sve_bits_here() {
  return 8 * (std::max(0, prctl(PR_SVE_GET_VL)) & PR_SVE_VL_LEN_MASK);  // -1 where there is none
}

EventSums sums_of(const std::map<std::string, double>& counts, int sve_bits) {
  EventSums sums;
  std::set<std::string> used;
  bool is_complete = false;
  for (const FamilySums& family : flops_of_families(counts, sve_bits)) {
    used.insert(family.used.begin(), family.used.end());
    sums.flops.insert(sums.flops.end(), family.flops.begin(), family.flops.end());
    sums.untold.insert(sums.untold.end(), family.untold.begin(), family.untold.end());
    sums.missing += (sums.missing.empty() || family.missing.empty() ? "" : ", ") + family.missing;
    is_complete = is_complete || family.missing.empty();
  }
  for (const auto& [name, count] : counts) {
    if (used.contains(name)) continue;
    if (is_among(load_events, name)) {
      sums.loads = std::max(sums.loads.value_or(0), count);  // two names of one event
    } else if (is_among(store_events, name)) {
      sums.stores = std::max(sums.stores.value_or(0), count);
    } else {
      sums.unknown.push_back(name);
    }
  }
  add_untold(sums, counts, is_complete);
  sort_with(sums.flops, [](const Flops& a, const Flops& b) {
    return std::tuple(a.operation, a.precision, a.vector_bits) <
           std::tuple(b.operation, b.precision, b.vector_bits);
  });
  return sums;
}

std::string untold_reason(const std::string& name) {
  if (name.ends_with("SCALE_OPS_SPEC"))
    return "it counts per 128 bits of SVE vectors, whose length this machine does not know";
  if (is_raw_code(name)) return "the meaning of a code differs between processors: count it by its name";
  std::string instead =
      "FP_ARITH_INST_RETIRED by width and precision or FP_FLOPS_RETIRED.ALL (Intel), FP_RET_SSE_AVX_OPS.ALL "
      "(AMD), FP_FIXED_OPS_SPEC and FP_SCALE_OPS_SPEC (Arm)";
  if (name.starts_with("FP_ARITH_INST_RETIRED_") || name.starts_with("FP_ARITH_OPS_RETIRED_"))
    instead = "SCALAR, 4_FLOPS, 8_FLOPS and the other widths and precisions";
  return "how many flops a count stands for is not known: count " + instead;
}

}  // namespace gable::points
