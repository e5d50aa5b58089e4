#include "cli/text/columns.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"

namespace gable::cli {

namespace {

// Spaces between backticks are within a word, as is that of "5 %".
std::size_t end_of_word(const std::string& text, std::size_t begin) {
  std::size_t end = std::min(text.find(' ', begin), text.size());
  while (end < text.size() && (text.compare(end, 2, " %") == 0 ||
                               std::count(text.begin() + begin, text.begin() + end, '`') % 2 == 1))
    end = std::min(text.find(' ', end + 1), text.size());
  return end;
}

constexpr std::size_t day = 10, minute = 16;  // characters of a time in a file

bool is_time(const std::string& utc) {
  return utc.size() > minute && utc[day] == 'T' && utc.back() == 'Z';
}

}  // namespace

std::optional<std::size_t> terminal_columns(int descriptor) {
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col <= 1) return {};
  return size.ws_col;
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](const char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return right ? space + text : text + space;
}

std::size_t sentence_columns() {
  constexpr std::size_t least = 40;
  return std::clamp(terminal_columns(STDOUT_FILENO).value_or(screen_columns), least, screen_columns);
}

std::string folded(const std::string& text, std::size_t indent, std::size_t columns) {
  std::string out, line = text.substr(0, std::min(text.find_first_not_of(' '), text.size()));
  bool is_first = true;  // in its line
  for (std::size_t begin = line.size(); begin < text.size();) {
    const std::size_t end = end_of_word(text, begin);
    const std::string word = text.substr(begin, end - begin);
    if (!is_first && width_of(line) + 1 + width_of(word) > columns) {
      out += line + "\n";
      line = std::string(indent, ' ');
    } else if (!is_first) {
      line += " ";
    }
    line += word;
    is_first = false;
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string folded_lines(const std::string& text, std::size_t indent, std::size_t columns) {
  std::string out;
  for (const std::string& line : split(text, '\n')) out += folded(line, indent, columns);
  return out;
}

std::string number(double value) {
  if (value > 0 && value < 0.1) return fmt::format("{:.3g}", value);
  const int decimals = value >= 999.95 ? 0 : value >= 99.995 ? 1 : value >= 0.9995 || value <= 0 ? 2 : 3;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string number_range(double least, double most) {
  const std::string from = number(least), to = number(most);
  return from == to ? from : from + " to " + to;
}

std::string signed_percent(double change) {
  const double percent = 100 * change;
  return std::abs(percent) < 99.95 ? fmt::format("{:+.1f} %", percent) : fmt::format("{:+.0f} %", percent);
}

std::string when_text(const std::string& utc) {
  return is_time(utc) ? utc.substr(0, day) + " " + utc.substr(day + 1, minute - day - 1) + " UTC" : utc;
}

std::string when_text(const std::string& from, const std::string& to) {
  if (!is_time(from) || !is_time(to) || from.substr(0, day) == to.substr(0, day)) return when_text(from);
  return from.substr(0, day) + " to " + to.substr(0, day);
}

}  // namespace gable::cli
