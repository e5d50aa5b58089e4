#pragma once

// Lists without repetition, and lists in words. `of` is what std::invoke calls for an element: a function or
// a member.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gable {

/// Whether the list has the value.
template <typename List, typename Value>
bool is_among(const List& list, const Value& value) {
  return std::ranges::find(list, value) != std::ranges::end(list);
}

/// Adds the value at the end, unless the list has it.
template <typename Value>
void add_once(std::vector<Value>& list, const std::type_identity_t<Value>& value) {
  if (!is_among(list, value)) list.push_back(value);
}

/// The elements for which `wanted` is true.
template <typename List, typename Wanted>
auto those(const List& list, const Wanted& wanted) {
  std::vector<std::ranges::range_value_t<List>> found;
  std::ranges::copy_if(list, std::back_inserter(found), wanted);
  return found;
}

/// Adds the values at the end.
template <typename Value>
void add_all(std::vector<Value>& list, std::vector<Value> more) {
  std::ranges::move(more, std::back_inserter(list));
}

/// The value of the key in a list of keys with values, which gets an empty one for a new key.
template <typename Key, typename Value>
Value& value_for(std::vector<std::pair<Key, Value>>& list, const std::type_identity_t<Key>& key) {
  const auto known = std::ranges::find(list, key, &std::pair<Key, Value>::first);
  return known == list.end() ? list.emplace_back(key, Value()).second : known->second;
}

/// `of` the elements, in their order.
template <typename Elements, typename Of>
auto each_of(const Elements& elements, Of of) {
  using Element = std::ranges::range_reference_t<const Elements>;
  std::vector<std::decay_t<std::invoke_result_t<Of, Element>>> values;
  for (const auto& element : elements) values.push_back(std::invoke(of, element));
  return values;
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
