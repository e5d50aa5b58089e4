#include "base/sorting.hpp"

#include <algorithm>
#include <numeric>

namespace gable {

std::vector<std::size_t> sorted_positions(std::size_t count,
                                          bool (*before)(const void* order, std::size_t a, std::size_t b),
                                          const void* order) {
  std::vector<std::size_t> positions(count);
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::stable_sort(positions.begin(), positions.end(),
                   [&](std::size_t a, std::size_t b) { return before(order, a, b); });
  return positions;
}

}  // namespace gable
