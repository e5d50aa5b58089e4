#pragma once

// How gable machine writes sizes, counts and sets of numbers.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace gable::cli {

/// "32 KiB", "1.5 GiB"; "not known" of 0.
std::string size_text(std::uint64_t bytes);

/// "1 core", "2 cores".
std::string count_text(std::size_t count, const char* noun);

/// "0-3,8" of 0 1 2 3 8.
template <typename Number>
std::string ranges_text(std::vector<Number> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += text.empty() ? "" : ",";
    text += end - i == 1 ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace gable::cli
