#pragma once

// The memory benchmarks over tiers: all cells, round by round, with alternating tiers, so that drift affects
// all of them alike.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "bench/memory/tier_cells.hpp"
#include "bench/tiers/tier.hpp"
#include "bench/visit/rounds.hpp"
#include "bench/visit/seen.hpp"
#include "machines/host.hpp"
#include "model/records/tier.hpp"

namespace gable::bench {

/// The memory of a tier during a measurement: a share for each thread, or a chase through all of it.
class TierMemory {
 public:
  /// Takes `bytes` of the tier and lets the threads of `cpus` touch them. Throws
  /// Error::unavailable.
  TierMemory(const Tier& tier, std::uint64_t bytes, Team& team, std::vector<unsigned> cpus,
             const std::atomic<bool>& stop);

  /// Sets the cell's work up for every thread of `work`, whose CPUs and kernels are set.
  void lay(const TierCell& cell, std::vector<Work>& work);

  const Region& region() const { return *region_; }

 private:
  void fill();

  Tier tier_;
  Team& team_;
  std::vector<unsigned> cpus_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<Region> region_;
  std::uint64_t linked_ = 0;  ///< bytes at the beginning that hold addresses instead of numbers
};

/// A tier, and what its vendor claims.
struct TierToMeasure {
  Tier tier;
  double vendor_load_gb_per_s = 0, vendor_store_gb_per_s = 0;  ///< 0: not given
};

class TierBench {
 public:
  TierBench(const machines::Machine& machine, const machines::Host& host, Team& team,
            const std::atomic<bool>& stop);

  /// `memory` is of `tier`.
  model::TierSample visit(const TierCell& cell, const TierToMeasure& tier, TierMemory& memory, int round);

 private:
  void run(const TierCell& cell, TierMemory& memory, model::TierSample& sample, Seen& seen,
           model::Note& misplaced);

  const machines::Machine& machine_;
  Timekeeping time_;
  Team& team_;
  const std::atomic<bool>& stop_;
  Watch watch_;
};

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
