#pragma once

// The memory benchmarks over tiers: all cells, round by round, with alternating tiers, so that drift affects
// all of them alike.

#include <atomic>
#include <string>
#include <vector>

#include "bench/memory/tier_cells.hpp"
#include "bench/memory/tier_visit.hpp"
#include "bench/visit/rounds.hpp"
#include "machines/host.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

using TierHooks = RoundHooks<model::TierSample>;
using TierProgress = RoundProgress<model::TierSample>;

/// Why the tiers are not all available at once, checked before any memory is allocated; empty if they are, as
/// far as is known.
std::string too_small(const std::vector<TierToMeasure>& tiers, std::uint64_t bytes);

/// Visits every cell of every tier `options.runs` times, except the visits in `done`. A disturbed visit is
/// repeated once immediately. A cell that cannot be measured is recorded as skipped, and so is every cell of
/// a tier whose memory is not available. A visit that an interruption disturbs is not recorded.
void run_tiers(const machines::Machine& machine, const machines::Host& host,
               const std::vector<TierToMeasure>& tiers, const TierOptions& options, const Visited& done,
               const TierHooks& hooks, const std::atomic<bool>& stop);

}  // namespace gable::bench
