#pragma once

// Lists without repetition, and lists in words. `of` is what std::invoke calls for an element: a function or
// a member.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gable {

/// Adds the value at the end, unless the list has it.
template <typename Value>
void add_once(std::vector<Value>& list, const std::type_identity_t<Value>& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

/// `of` the elements, each value once, in the order in which they come.
template <typename Elements, typename Of>
auto distinct(const Elements& elements, Of of) {
  using Element = std::ranges::range_reference_t<const Elements>;
  std::vector<std::decay_t<std::invoke_result_t<Of, Element>>> values;
  for (const auto& element : elements) add_once(values, std::invoke(of, element));
  return values;
}

/// The texts `of` the elements, with the separator between them.
template <typename Elements, typename Of>
std::string joined(const Elements& elements, Of of, std::string_view separator = ", ") {
  std::string text;
  for (const auto& element : elements) {
    if (!text.empty()) text += separator;
    text += std::invoke(of, element);
  }
  return text;
}

/// "n1, n2 and 5 more": the texts `of` the first `most` elements.
template <typename Elements, typename Of>
std::string first_few(const Elements& elements, std::size_t most, Of of) {
  const std::string text = joined(std::views::take(elements, most), of);
  return elements.size() > most ? text + " and " + std::to_string(elements.size() - most) + " more" : text;
}

}  // namespace gable
