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

/// The length of this process's SVE vectors; 0 without SVE.
int sve_bits_here();

/// The result for a set of events.
struct EventSums {
  std::vector<Flops> flops;     ///< in the order of Flops' fields; an FMA counts 2
  std::optional<double> loads;  ///< instructions, not bytes: the events do not include widths
  std::optional<double> stores;
  std::vector<std::string> unknown;  ///< unknown event names
  std::string missing;               ///< events that were not counted, so that flops may be too few; or empty
};

/// Intel: FP_ARITH_INST_RETIRED by width and precision (one count an instruction and FMA twice, times the
/// lanes), MEM_INST_RETIRED (MEM_UOPS_RETIRED) ALL_LOADS and ALL_STORES. AMD: retired SSE and AVX flops,
/// which count operations (Zen by kind and precision; from Zen 2 on by kind or all together), and the
/// dispatched loads and stores. AArch64 (Arm ARM DDI 0487, events 0x80C0 to 0x80C7): FP_FIXED_OPS_SPEC counts
/// operations, FP_SCALE_OPS_SPEC those of each 128 bits of an SVE vector of `sve_bits`; LD_SPEC, ST_SPEC.
/// `counts`: by event_name().
EventSums sums_of(const std::map<std::string, double>& counts, int sve_bits = sve_bits_here());

}  // namespace gable::points
