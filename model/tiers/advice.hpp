#pragma once

// The figures of placements with intervals, and the cost of moving a part.

#include <map>
#include <string>
#include <vector>

#include "model/records/placed.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// Traversed edges per second over the runs of an ok record (PMEM graph thesis, sections 3.1.1 and 3.2.1). A
/// published figure has no interval: its ends are the value.
Estimate teps(const Placed& placed);

/// The number of runs behind a record's figure; 0: not published.
std::size_t runs_of(const Placed& placed);

/// A letter for each tier of these records: D for DRAM, H for HBM, C for CXL, P for persistent memory (NVM
/// and files), G for GPU, M for memkind. If two tiers would share a letter, all get A, B, C in order of
/// appearance.
std::map<std::string, char> tier_letters(const std::vector<Placed>& placed);

/// "DP": the letters of the parts' tiers, in their order (PMEM graph thesis, table 3.2).
std::string placement_code(const Placed& placed, const std::map<std::string, char>& letters);

/// The cost of moving one part to another tier while everything else stays in one tier.
struct PartMove {
  std::string variant, part, from, to;
  std::uint64_t bytes = 0;  ///< that become free in `from`; 0: not published
  double slowdown = 0;      ///< TEPS before / TEPS after - 1: 0.2 means 20 % more time
  /// The interval follows from the intervals of both. All intervals of `moves` together hold the truth in at
  /// least 95 % of all cases. Equal: no interval is known.
  double slowdown_lo = 0, slowdown_hi = 0;
  bool single_run = false;  ///< measured, but one of both only once
};

/// The moves, for each variant, of one part out of the placement that has everything in the tier of the
/// fastest kind: HBM, then DRAM, and so on. The records must be of one workload, graph and set of threads.
/// Records that are not ok are ignored, and so are those of which the cache held all parts or whose part lies
/// on the same nodes.
std::vector<PartMove> moves(const std::vector<Placed>& placed);

/// The move as a sentence for the user.
std::string sentence(const PartMove& move);

}  // namespace gable::model
