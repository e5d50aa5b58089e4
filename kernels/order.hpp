#pragma once

// The order in which kernels of blocks visit their memory: sequential or without a pattern. Both use the same
// instructions, so that only the memory's behaviour differs.

#include <algorithm>
#include <bit>
#include <cstdint>

namespace gable::kernels {

/// A permutation of the numbers below a power of two, computed independently for each number, modulo that
/// power: multiply, fold the upper bits into the lower ones, x (curve x + 1), fold again. Each step is
/// invertible if the multiplier is odd, the curve even (a quadratic permutation polynomial) and the shift not
/// 0, so no number occurs twice. The default is the identity.
struct Order {
  std::uint64_t multiplier = 1;
  std::uint64_t curve = 0;
  std::uint64_t shift = 63;

  /// The image of `position`; `count` is a power of two, and `position` is below it.
  std::uint64_t place(std::uint64_t position, std::uint64_t count) const {
    std::uint64_t at = (position * multiplier) & (count - 1);
    at ^= at >> shift;
    at = (at * (curve * at + 1)) & (count - 1);
    return at ^ at >> shift;
  }
};

/// A pattern-free order of `count` blocks, a power of two.
inline Order scattered_order(std::uint64_t count) {
  const auto bits = static_cast<std::uint64_t>(std::bit_width(count) - 1);
  // The bits of the golden and of the silver ratio, which no fraction with a small denominator approximates
  // well.
  return {0x9e3779b97f4a7c15, 0xd413cccfe7799212, std::max<std::uint64_t>(1, (bits + 1) / 2)};
}

}  // namespace gable::kernels
