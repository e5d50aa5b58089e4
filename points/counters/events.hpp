#pragma once

// Translates the events of hardware counters into flops and memory accesses. perf, likwid and libpfm4 write
// the same names in slightly different ways.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "points/counters/counts.hpp"

namespace gable::points {

/// The canonical name of an event: upper case, `_` for every other separator, without perf's `cpu/.../` and
/// modifiers (":u"). "fp_arith_inst_retired.256b_packed_double:u" becomes
/// "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE".
std::string event_name(std::string_view written);

/// The result for a set of events.
struct EventSums {
  std::vector<Flops> flops;     ///< in the order of Flops' fields; an FMA counts 2
  std::optional<double> loads;  ///< instructions, not bytes: the events do not include widths
  std::optional<double> stores;
  std::vector<std::string> unknown;  ///< unknown event names
  std::string missing;  ///< widths whose event was not counted, so that flops may be too few; or empty
};

/// Intel: FP_ARITH_INST_RETIRED by width and precision (one count an instruction and FMA twice, times the
/// lanes), MEM_INST_RETIRED (MEM_UOPS_RETIRED) ALL_LOADS and ALL_STORES. AMD: retired SSE and AVX flops,
/// which count operations (Zen by kind and precision; from Zen 2 on by kind or all together), and the
/// dispatch's loads and stores. `counts`: by event_name().
EventSums sums_of(const std::map<std::string, double>& counts);

}  // namespace gable::points
