#pragma once

// Hardware events that count floating-point operations. The events of a family overlap: a unit mask may
// select several kinds of operations, and what two events both select must not count twice.

#include <map>
#include <string>
#include <vector>

#include "points/counters/counts.hpp"

namespace gable::points {

/// What the events of one kind of core say of its flops.
struct FamilySums {
  std::vector<Flops> flops;         ///< each operation once
  std::vector<std::string> used;    ///< the events of the family, including those that say nothing more
  std::vector<std::string> untold;  ///< those of them whose counts are not 0 and do not give flops
  std::string missing;              ///< the flops that no event counted, in words; empty: none
  bool is_complete() const { return missing.empty(); }
};

/// The flops of each family that occurs in `counts` (by event_name(), events.hpp). `sve_bits`: the length of
/// the SVE vectors; 0: not known, so that what counts by that length gives no flops.
///
/// Intel (perfmon event lists): FP_ARITH_INST_RETIRED, or FP_ARITH_OPS_RETIRED, counts instructions, an FMA
/// twice; times the elements of its vectors that gives flops. SCALAR (1), 4_FLOPS and 8_FLOPS select
/// vectors of the same number of elements. VECTOR, PACKED, SINGLE and DOUBLE select several, and give none.
/// FP_FLOPS_RETIRED (E-cores) counts operations. AMD (PPR, PMCx003): retired SSE and AVX flops by kind, by
/// type, by both (Zen 1) or all; an FMA counts 2. AArch64 (Arm ARM DDI 0487, events 0x80C0 to 0x80C7):
/// FP_FIXED_OPS_SPEC counts operations, FP_SCALE_OPS_SPEC those of each 128 bits of an SVE vector.
std::vector<FamilySums> flops_of_families(const std::map<std::string, double>& counts, int sve_bits);

/// Whether an event of this name, which is of no family, counts floating-point instructions or operations, as
/// far as names tell: FP_OPS_RETIRED_BY_TYPE_VECTOR_ALL, but not FP_ASSIST_ANY.
bool may_count_flops(const std::string& name);

/// Whether it is given by its code, whose meaning differs between processors: cpu/event=0xc7,umask=0x1/,
/// r01c7.
bool is_raw_code(const std::string& name);

/// The `masks` without a common bit that cover the most bits together, as positions; if several sets do, the
/// one with the most masks. It takes at most 24 masks.
std::vector<std::size_t> best_cover(const std::vector<unsigned>& masks);

}  // namespace gable::points
