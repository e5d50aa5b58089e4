#pragma once

// From samples a second to events for one sample.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gable::kmaf::live {

class PeriodControl {
 public:
  /// Periods are multiples of `step` within the limits; a period that is not is taken down to one.
  PeriodControl(std::uint64_t first, std::uint64_t least, std::uint64_t most, std::uint64_t step)
      : least_(least), most_(most), step_(step), period_(rounded(static_cast<double>(first))) {}

  std::uint64_t period() const { return period_; }

  /// The period that would have brought `wanted` samples a second, when the present one has brought `samples`
  /// in `seconds`. True where it is another by a fifth or more. At most eight times or an eighth of the
  /// present one: few samples tell little.
  bool adapt(double wanted, double samples, double seconds) {
    constexpr double most_change = 8, worth_changing = 0.2;
    if (wanted <= 0 || seconds <= 0) return false;
    const double change = std::clamp(samples / seconds / wanted, 1 / most_change, most_change);
    const std::uint64_t next = rounded(static_cast<double>(period_) * change);
    const double now = static_cast<double>(period_);
    if (std::abs(static_cast<double>(next) - now) < worth_changing * now) return false;
    period_ = next;
    return true;
  }

 private:
  std::uint64_t rounded(double period) const {
    const double within = std::clamp(period, static_cast<double>(least_), static_cast<double>(most_));
    return static_cast<std::uint64_t>(within) / step_ * step_;
  }

  std::uint64_t least_, most_, step_, period_;
};

}  // namespace gable::kmaf::live
