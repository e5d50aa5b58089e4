#pragma once

// The memory of a tier during a measurement: a share for each thread, or a chase through all of it.

#include <atomic>
#include <memory>
#include <vector>

#include "bench/memory/tier_cells.hpp"
#include "bench/threads/burst.hpp"
#include "bench/threads/team.hpp"
#include "bench/tiers/tier.hpp"

namespace gable::bench {

class TierMemory {
 public:
  /// Takes `bytes` of the tier and lets the threads of `cpus` touch them. Throws Error::unavailable,
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

}  // namespace gable::bench
