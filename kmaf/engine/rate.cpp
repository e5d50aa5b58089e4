#include "kmaf/engine/rate.hpp"

#include <algorithm>
#include <stdexcept>

namespace gable::kmaf {

namespace {

constexpr double stale_moves = 0.02;   // moves a sample
constexpr double stale_remote = 0.05;  // remote share above the calm one
constexpr double faster = 2, slower = 0.9;
constexpr double smoothing = 0.3;      // weight of the latest cost of a sample
constexpr std::uint64_t telling = 16;  // with fewer samples the shares are not reliable

}  // namespace

RateController::RateController(const RateLimits& limits, double cpus) : limits_(limits) {
  if (limits.budget <= 0 || limits.least_per_second < 0 || limits.most_per_second < limits.least_per_second ||
      limits.seconds_per_sample < 0)
    throw std::invalid_argument("the limits of the sampling rate contradict each other");
  cost_ = limits.seconds_per_sample;
  rate_ = limits.most_per_second;
  if (cost_ > 0) rate_ = std::min(rate_, limits.budget * cpus / cost_);
}

void RateController::observe(const Interval& interval) {
  spent_ += interval.spent_seconds;
  cpu_ += interval.cpu_seconds;
  const auto samples = static_cast<double>(interval.samples);
  const double sampling = interval.spent_seconds - interval.fixed_seconds;
  if (interval.samples > 0) cost_ += smoothing * (sampling / samples - cost_);
  if (interval.looked_at >= telling) {
    const auto seen = static_cast<double>(interval.looked_at);
    const double remote = static_cast<double>(interval.remote) / seen;
    const bool moving = static_cast<double>(interval.moves) > stale_moves * seen;
    const bool drifting = calm_remote_ >= 0 && remote > calm_remote_ + stale_remote;
    rate_ *= moving || drifting ? faster : slower;
    if (!moving)
      calm_remote_ = calm_remote_ < 0 ? remote : calm_remote_ + smoothing * (remote - calm_remote_);
  } else if (rate_ > 0) {
    rate_ *= faster;  // too few samples for a decision
  }
  rate_ = std::clamp(rate_, limits_.least_per_second, limits_.most_per_second);
  if (cost_ <= 0 || interval.seconds <= 0) return;
  // The allowed cost in such an interval: its share of the budget, plus earlier savings or minus
  // overspending, compensated over ten intervals.
  const double owed = limits_.budget * cpu_ - spent_;
  const double allowance = limits_.budget * interval.cpu_seconds + owed / 10 - interval.fixed_seconds;
  rate_ = std::min(rate_, std::max(0.0, allowance) / cost_ / interval.seconds);
}

}  // namespace gable::kmaf
