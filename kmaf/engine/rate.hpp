#pragma once

// How often to sample. A calm program is looked at less and less; one whose placement goes stale more and
// more; never more than the overhead budget allows.

#include <cstdint>

namespace gable::kmaf {

struct RateLimits {
  double least_per_second = 0;    ///< samples a second that are always taken, budget permitting
  double most_per_second = 0;     ///< what the sampler can do
  double budget = 0.01;           ///< share of the program's CPU time that managing may take
  double seconds_per_sample = 0;  ///< what a sample costs, until `spent_seconds` tells better
};

/// What happened since the last look.
struct Interval {
  double seconds = 0;           ///< its length
  double cpu_seconds = 0;       ///< CPU time of the program meanwhile, all threads
  std::uint64_t samples = 0;    ///< that came
  std::uint64_t looked_at = 0;  ///< of these; the others came faster than the budget allows
  std::uint64_t remote = 0;     ///< of those looked at, accesses to pages on another node than the thread's
  std::uint64_t moves = 0;      ///< pages and tasks that were moved
  double spent_seconds = 0;     ///< what faults, tables, mapping and moving cost
  double fixed_seconds = 0;     ///< of this, what comes however many samples there are
};

class RateController {
 public:
  /// Starts as fast as the limits allow: nothing is known yet. Throws std::invalid_argument for limits that
  /// contradict each other.
  explicit RateController(const RateLimits& limits, double cpus = 1);

  /// Samples a second to take until the next `observe`.
  double per_second() const { return rate_; }

  /// Adapts the rate. Stale: more than one sample in fifty led to a move, or the share of remote samples is
  /// more than 5 percentage points above what it was when calm: the rate doubles. Calm: it falls by a
  /// tenth. Then the budget: what a sample costs, all that follows from it included, may not exceed it;
  /// cost that was overspent is saved later.
  void observe(const Interval& interval);

  double spent_share() const { return cpu_ > 0 ? spent_ / cpu_ : 0; }  ///< of all CPU time so far

 private:
  RateLimits limits_;
  double rate_ = 0;
  double cost_ = 0;          // of a sample with its consequences, smoothed
  double calm_remote_ = -1;  // share of remote samples while calm; -1: never calm yet
  double spent_ = 0, cpu_ = 0;
};

}  // namespace gable::kmaf
