#pragma once

// The memory benchmarks over tiers: round after round over all cells, the tiers by turns, so that what drifts
// meets all of them.

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/memory/tier_cells.hpp"
#include "bench/memory/tier_visit.hpp"
#include "machines/host.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

/// Visits that need not be made again: the TierCase's key and the round.
using TierDone = std::set<std::pair<std::string, int>>;

struct TierProgress {
  int visits_done = 0, visits = 0;
  double seconds_left = 0;
  const model::TierSample* last = nullptr;
};

struct TierHooks {
  std::function<std::string(const model::TierCase&)> key;
  std::function<void(const model::TierSample&)> record;  ///< what it throws ends the benchmarks
  std::function<void(const TierProgress&)> progress;
};

/// Why the tiers cannot all be had at once, before anything is taken; empty where they can, as far as is
/// known.
std::string too_small(const std::vector<TierToMeasure>& tiers, std::uint64_t bytes);

/// Visits every cell of every tier `options.runs` times, leaving out what is in `done`. A visit that was
/// spoilt is made once more at once. A cell that cannot be measured is recorded as skipped, and so is every
/// cell of a tier whose memory cannot be had. What an interruption spoils is not recorded.
void run_tiers(const machines::Machine& machine, const machines::Host& host,
               const std::vector<TierToMeasure>& tiers, const TierOptions& options, const TierDone& done,
               const TierHooks& hooks, const std::atomic<bool>& stop);

}  // namespace gable::bench
