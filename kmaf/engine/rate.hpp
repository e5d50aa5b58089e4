#pragma once

// The sampling rate. It falls while the program is calm and rises when its placement becomes stale, within
// the overhead budget.

#include <cstdint>

namespace gable::kmaf {

struct RateLimits {
  double least_per_second = 0;    ///< samples per second that are always taken, if the budget permits
  double most_per_second = 0;     ///< the maximum of the sampler
  double budget = 0.01;           ///< share of the program's CPU time that management may use
  double seconds_per_sample = 0;  ///< initial cost of a sample, until `spent_seconds` gives a better value
};

/// The events since the last observation.
struct Interval {
  double seconds = 0;           ///< its length
  double cpu_seconds = 0;       ///< CPU time of the program in this interval, all threads
  std::uint64_t samples = 0;    ///< received
  std::uint64_t looked_at = 0;  ///< processed; the others came faster than the budget allows
  std::uint64_t remote = 0;     ///< processed accesses to another node than the thread's
  std::uint64_t moves = 0;      ///< pages and tasks that were moved
  double spent_seconds = 0;     ///< the cost of faults, tables, mapping and moving
  double fixed_seconds = 0;     ///< the part of it that does not depend on the number of samples
};

class RateController {
 public:
  /// Starts with the highest allowed rate, because nothing is known yet. Throws std::invalid_argument for
  /// contradictory limits.
  explicit RateController(const RateLimits& limits, double cpus = 1);

  /// Samples a second to take until the next `observe`.
  double per_second() const { return rate_; }

  /// Adapts the rate. If the placement is stale, the rate doubles: more than one sample in fifty led to a
  /// move, or the share of remote samples is more than 5 percentage points above its calm value. If it is
  /// calm, the rate falls by a tenth. Then the budget limits it: it covers a sample with all its
  /// consequences, and overspending is compensated later.
  void observe(const Interval& interval);

 private:
  RateLimits limits_;
  double rate_ = 0;
  double cost_ = 0;          // of a sample with its consequences, smoothed
  double calm_remote_ = -1;  // share of remote samples while calm; -1: never calm yet
  double spent_ = 0, cpu_ = 0;
};

}  // namespace gable::kmaf
