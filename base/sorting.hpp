#pragma once

// Stable sorting. std::ranges::stable_sort takes a fifth of a second to compile for each type and order, so
// the sorting itself is compiled once, on positions. Loops that sort millions of values call std::sort.

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace gable {

/// Positions 0 … count - 1, stably sorted: `before(order, a, b)` says whether position a comes before
/// position b.
std::vector<std::size_t> sorted_positions(std::size_t count,
                                          bool (*before)(const void* order, std::size_t a, std::size_t b),
                                          const void* order);

/// Sorts values that have size() and [], such as a vector. Values of which neither is `before` the other keep
/// their order.
template <typename Values, typename Before>
void sort_with(Values& values, const Before& before) {
  const auto at = [&](std::size_t a, std::size_t b) { return std::invoke(before, values[a], values[b]); };
  std::vector<std::size_t> from = sorted_positions(
      values.size(),
      [](const void* order, std::size_t a, std::size_t b) {
        return (*static_cast<decltype(&at)>(order))(a, b);
      },
      &at);
  for (std::size_t first = 0; first < from.size(); ++first) {  // a cycle of the permutation
    std::size_t place = first;
    while (from[place] != first) {
      std::swap(values[place], values[from[place]]);
      place = std::exchange(from[place], place);
    }
    from[place] = place;
  }
}

/// The smallest first, by `of` each value: a function or a member.
template <typename Values, typename Of>
void sort_by(Values& values, const Of& of) {
  sort_with(values, [&](const auto& a, const auto& b) { return std::invoke(of, a) < std::invoke(of, b); });
}

/// The largest first, by `of` each value.
template <typename Values, typename Of>
void sort_down_by(Values& values, const Of& of) {
  sort_with(values, [&](const auto& a, const auto& b) { return std::invoke(of, b) < std::invoke(of, a); });
}

}  // namespace gable
