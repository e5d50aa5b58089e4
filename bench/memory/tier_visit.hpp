#pragma once

// One visit to a cell of the memory benchmarks: lay out the work, run, check where pages and threads were,
// and report the result.

#include <atomic>

#include "bench/memory/tier_cells.hpp"
#include "bench/memory/tier_memory.hpp"
#include "bench/visit/timekeeping.hpp"
#include "bench/visit/watch.hpp"
#include "machines/host.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

/// A tier, and what its vendor claims.
struct TierToMeasure {
  Tier tier;
  double vendor_load_gb_per_s = 0, vendor_store_gb_per_s = 0;  ///< 0: not given
};

/// The record of a visit before anything is done.
model::TierSample begun(const TierCell& cell, const TierToMeasure& tier, int round);

class TierBench {
 public:
  TierBench(const machines::Machine& machine, const machines::Host& host, Team& team,
            const std::atomic<bool>& stop);

  /// `memory` is of `tier`.
  model::TierSample visit(const TierCell& cell, const TierToMeasure& tier, TierMemory& memory, int round);

 private:
  struct Seen;
  void run(const TierCell& cell, TierMemory& memory, model::TierSample& sample, Seen& seen);
  void judge(const Region& region, model::TierSample& sample, const Seen& seen) const;

  const machines::Machine& machine_;
  Timekeeping time_;
  Team& team_;
  const std::atomic<bool>& stop_;
  Watch watch_;
};

}  // namespace gable::bench
