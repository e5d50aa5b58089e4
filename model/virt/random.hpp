#pragma once

// Reproducible random numbers for bootstraps and simulations.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/numbers.hpp"

namespace gable::model {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    const std::uint64_t number = scrambled(state_);
    state_ += scrambled_step;
    return number;
  }
  /// A uniformly distributed number above 0 and below 1.
  double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(count));
  }
  double exponential(double mean) { return -mean * std::log(uniform()); }
  double normal() {
    constexpr double turn = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(turn * uniform());
  }

 private:
  std::uint64_t state_;
};

}  // namespace gable::model
