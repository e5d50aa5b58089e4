#pragma once

// Translates the events of hardware counters into flops and memory accesses. perf, likwid and libpfm4 write
// the same names in slightly different ways.

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

/// Perf's modifiers, as in "cycles:u", "cpu/cycles/u" and "cpu/cycles/:u"; empty if there are none.
std::string_view event_modifiers(std::string_view written);

/// The unit that counted it: "cpu_core" of "cpu_core/cycles/"; empty for all cores ("cycles", "cpu/cycles/").
std::string_view event_unit(std::string_view written);

/// The length of this process's SVE vectors; 0 without SVE.
int sve_bits_here();

/// The result for a set of events.
struct EventSums {
  std::vector<Flops> flops;     ///< in the order of Flops' fields; an FMA counts 2
  std::optional<double> loads;  ///< instructions, not bytes: the events do not include widths
  std::optional<double> stores;
  std::vector<std::string> untold;   ///< events of flops whose counts, not 0, do not tell how many: without
                                     ///< them flops are too few
  std::vector<std::string> unknown;  ///< other events
  std::string missing;               ///< events that were not counted, so that flops may be too few; or empty
};

/// Flops as in flop_events.hpp. Accesses: Intel MEM_INST_RETIRED (MEM_UOPS_RETIRED) ALL_LOADS and ALL_STORES,
/// AMD the dispatched loads and stores, AArch64 LD_SPEC and ST_SPEC. `counts`: by event_name(), of one kind
/// of core.
EventSums sums_of(const std::map<std::string, double>& counts, int sve_bits = sve_bits_here());

/// Why the count of such an event does not tell flops, with what to count instead.
std::string untold_reason(const std::string& name);

}  // namespace gable::points
