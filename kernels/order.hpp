#pragma once

// The order in which kernels of blocks visit their memory: sequential or without a pattern. Both use the same
// instructions, so that only the memory's behaviour differs.

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
Order scattered_order(std::uint64_t count);

}  // namespace gable::kernels
