#pragma once

// Limits how many of the arriving samples are processed.

#include <algorithm>
#include <cstddef>

namespace gable::kmaf::live {

/// Pages are hidden in groups, so samples come in bursts, and unused allowance of the last second may be used
/// later. First touches can fault without limit, though; then only one in N samples is processed.
class Allowance {
 public:
  /// `per_second`: the target rate.
  explicit Allowance(double per_second) : samples_(at_once_seconds * per_second) {}

  /// Time passes with this target rate; up to twice as many samples may be processed.
  void pass(double seconds, double per_second) {
    samples_ = std::min(samples_ + 2 * per_second * seconds, 2 * per_second * saved_seconds);
  }

  /// The N such that one in N of a burst of `count` samples is processed now.
  std::size_t stride(std::size_t count) const {
    return std::max<std::size_t>(1, (count + most() - 1) / most());
  }

  /// There are so many that sampling should pause.
  bool is_flood(std::size_t count) const { return count / flood > most(); }

  void looked_at(std::size_t count) { samples_ -= static_cast<double>(count); }

 private:
  static constexpr double saved_seconds = 1, at_once_seconds = 0.1;
  static constexpr std::size_t flood = 8;  // times the allowance

  std::size_t most() const { return samples_ < 1 ? 1 : static_cast<std::size_t>(samples_); }

  double samples_;
};

}  // namespace gable::kmaf::live
