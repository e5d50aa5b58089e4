#include "kernels/order.hpp"

#include <algorithm>
#include <bit>

namespace gable::kernels {

Order scattered_order(std::uint64_t count) {
  const auto bits = static_cast<std::uint64_t>(std::bit_width(count) - 1);
  // The bits of the golden and of the silver ratio, which no fraction with a small denominator approximates
  // well.
  return {0x9e3779b97f4a7c15, 0xd413cccfe7799212, std::max<std::uint64_t>(1, (bits + 1) / 2)};
}

}  // namespace gable::kernels
