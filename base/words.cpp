#include "base/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/reading.hpp"

namespace gable {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024; ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, units.at(unit));
}

std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f) text[i] = '?';
    // U+0080 to U+009F, of which some begin a command as an escape does
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (c == 0xc2 && next >= 0x80 && next < 0xa0) text.replace(i, 2, "?");
  }
  return text;
}

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  TextStream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::string plural(std::int64_t count, std::string_view noun) {
  return std::string(noun) + (count == 1 ? "" : "s");
}

std::string count_text(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}", count, plural(count, noun));
}

std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

std::string percent_text(double percent) {
  return percent > 0 && percent < 0.5 ? "less than 1 %" : fmt::format("{:.0f} %", percent);
}

std::string clock_text(double seconds) {
  const int whole = static_cast<int>(std::lround(seconds));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace gable
