#pragma once

// The order in which kernels of blocks go through their memory: front to back, or without pattern. Both take
// the same instructions, so that they differ in what the memory makes of them and in nothing else.

#include <cstdint>

namespace gable::kernels {

/// A permutation of the numbers below a power of two, worked out for each number by itself, all modulo that
/// power: multiply, fold the upper bits into the lower ones, x (curve x + 1), fold again. Each step can be
/// undone when the multiplier is odd, the curve even (a quadratic permutation polynomial) and the shift not
/// 0, so no number comes twice. The default leaves every number where it is.
struct Order {
  std::uint64_t multiplier = 1;
  std::uint64_t curve = 0;
  std::uint64_t shift = 63;

  /// Where `position` goes; `count` is a power of two, `position` below it.
  std::uint64_t place(std::uint64_t position, std::uint64_t count) const {
    std::uint64_t at = (position * multiplier) & (count - 1);
    at ^= at >> shift;
    at = (at * (curve * at + 1)) & (count - 1);
    return at ^ at >> shift;
  }
};

/// The order without pattern of `count` blocks, a power of two.
Order scattered_order(std::uint64_t count);

}  // namespace gable::kernels
