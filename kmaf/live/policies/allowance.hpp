#pragma once

// How many of the samples that come are looked at.

#include <algorithm>
#include <cstddef>

namespace gable::kmaf::live {

/// A page is hidden together with many others, so samples come in bursts, and what did not come in the last
/// second may come later. Memory that is touched for the first time faults as often as it likes, though: then
/// every so many is looked at.
class Allowance {
 public:
  /// With `per_second` wanted.
  explicit Allowance(double per_second) : samples_(at_once_seconds * per_second) {}

  /// Time passes in which `per_second` are wanted; twice as many may be looked at.
  void pass(double seconds, double per_second) {
    samples_ = std::min(samples_ + 2 * per_second * seconds, 2 * per_second * saved_seconds);
  }

  /// Every how many of `count` samples, which come together, are looked at now.
  std::size_t stride(std::size_t count) const {
    return std::max<std::size_t>(1, (count + most() - 1) / most());
  }

  /// They are so many that sampling had better pause.
  bool is_flood(std::size_t count) const { return count / flood > most(); }

  void looked_at(std::size_t count) { samples_ -= static_cast<double>(count); }

 private:
  static constexpr double saved_seconds = 1, at_once_seconds = 0.1;
  static constexpr std::size_t flood = 8;  // times what may be looked at

  std::size_t most() const { return samples_ < 1 ? 1 : static_cast<std::size_t>(samples_); }

  double samples_;
};

}  // namespace gable::kmaf::live
