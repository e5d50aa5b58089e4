#pragma once

// The memory benchmarks over tiers: all cells, round by round, with alternating tiers, so that drift affects
// all of them alike.

#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/memory/tier_cells.hpp"
#include "bench/memory/tier_visit.hpp"
#include "machines/host.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

/// Visits that were made before: the TierCase's key and the round.
using TierDone = std::set<std::pair<std::string, int>>;

struct TierProgress {
  int visits_done = 0, visits = 0;
  std::optional<double> seconds_left = {};  ///< nothing as long as it is not known
  const model::TierSample* last = nullptr;
};

struct TierHooks {
  std::function<std::string(const model::TierCase&)> key;
  std::function<void(const model::TierSample&)> record;  ///< an exception from it ends the benchmarks
  std::function<void(const TierProgress&)> progress;
};

/// Why the tiers are not all available at once, checked before any memory is allocated; empty if they are, as
/// far as is known.
std::string too_small(const std::vector<TierToMeasure>& tiers, std::uint64_t bytes);

/// Visits every cell of every tier `options.runs` times, except the visits in `done`. A disturbed visit is
/// repeated once immediately. A cell that cannot be measured is recorded as skipped, and so is every cell of
/// a tier whose memory is not available. A visit that an interruption disturbs is not recorded.
void run_tiers(const machines::Machine& machine, const machines::Host& host,
               const std::vector<TierToMeasure>& tiers, const TierOptions& options, const TierDone& done,
               const TierHooks& hooks, const std::atomic<bool>& stop);

}  // namespace gable::bench
