#pragma once

// What placements amount to: figures with intervals, and what moving a part costs.

#include <map>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// Traversed edges per second over the runs of an ok record (PMEM graph thesis, sections 3.1.1 and 3.2.1). A
/// published figure has no interval: its ends are the value.
Estimate teps(const Placed& placed);

/// The number of runs behind a record's figure; 0: not published.
std::size_t runs_of(const Placed& placed);

/// A letter for each tier of these records, by its name: DRAM is D, HBM H, CXL C, persistent memory P (NVM,
/// and files), GPU G, memkind M; where two of them share one they are A, B, C in the order they appear.
std::map<std::string, char> tier_letters(const std::vector<Placed>& placed);

/// "DP": the letters of the parts' tiers, in their order (PMEM graph thesis, table 3.2).
std::string placement_code(const Placed& placed, const std::map<std::string, char>& letters);

/// One part in another tier, everything else where it is fastest to have it all: what that costs.
struct PartMove {
  std::string variant, part, from, to;
  std::uint64_t bytes = 0;                  ///< that `from` is freed of; 0: not published
  double slowdown = 0;                      ///< TEPS before / TEPS after - 1: 0.2 means 20 % more time
  double slowdown_lo = 0, slowdown_hi = 0;  ///< 95 %: from the intervals of both; equal: no interval is known
};

/// The moves of each part alone out of the placement that has everything in one tier and is the fastest of
/// these, by variant. Records of one workload, graph and set of threads. A record that is not ok takes part
/// in no move.
std::vector<PartMove> moves(const std::vector<Placed>& placed);

/// A sentence a person understands.
std::string sentence(const PartMove& move);

}  // namespace gable::model
