#include "base/words.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <array>

namespace gable {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024; ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, units.at(unit));
}

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f; }, '?');
  return text;
}

std::string plural(std::int64_t count, std::string_view noun) {
  return std::string(noun) + (count == 1 ? "" : "s");
}

std::string count_text(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}", count, plural(count, noun));
}

std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

std::string clock_text(double seconds) {
  const int whole = static_cast<int>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace gable
