#pragma once

// Constants, conversions, the upper median and reproducible random numbers that all folders use.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace gable {

inline constexpr std::uint64_t KiB = 1ull << 10, MiB = 1ull << 20, GiB = 1ull << 30;  ///< in bytes

/// The number that SplitMix64 (Steele, Lea and Flood 2014) gives in this state; the next state is
/// `state + scrambled_step`.
inline constexpr std::uint64_t scrambled_step = 0x9e3779b97f4a7c15u;
constexpr std::uint64_t scrambled(std::uint64_t state) {
  state += scrambled_step;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
  return state ^ (state >> 31);
}

/// The median of the values, the larger of the two in the middle of an even number; 0 of none.
template <typename Value>
Value upper_median(std::vector<Value> values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The number that the whole text is, of an integer in this base; nothing where it is another text, or out of
/// range.
template <typename Number, typename... Base>
std::optional<Number> read_as(std::string_view text, Base... base) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base...);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

/// A non-negative number as the index of a container.
constexpr std::size_t index(int number) {
  return static_cast<std::size_t>(number);
}

}  // namespace gable
