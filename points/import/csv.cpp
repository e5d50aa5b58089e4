#include "points/import/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace gable::points {

std::vector<CsvRow> csv_rows(const std::string& text, char separator, const std::string& path) {
  std::vector<CsvRow> rows;
  CsvRow row{1, {""}};
  int line = 1, opened = 0;
  bool quoted = false;
  const auto finish = [&] {
    if (row.cells.size() > 1 || !row.cells.front().empty()) rows.push_back(row);
    row = {line, {""}};
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted) {
      const bool doubled = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (doubled) ++i;
      if (c == '"' && !doubled) {
        quoted = false;
      } else {
        row.cells.back() += c;
      }
    } else if (c == '"' && row.cells.back().empty()) {
      quoted = true;
      opened = line;
    } else if (c == separator) {
      row.cells.emplace_back();
    } else if (c == '\n') {
      finish();
    } else if (c != '\r') {
      row.cells.back() += c;
    }
  }
  if (quoted) throw Error::format(path, opened, "a quote is opened here and never closed");
  finish();
  return rows;
}

char separator_in(std::string_view line) {
  char most = ',';
  for (const char separator : {';', '\t'}) {
    if (std::ranges::count(line, separator) > std::ranges::count(line, most)) most = separator;
  }
  return most;
}

bool to_number(const std::string& cell, double& number) {
  const std::size_t first = cell.find_first_not_of(" \t");
  if (first == std::string::npos) return false;
  const std::size_t last = cell.find_last_not_of(" \t");
  const char* const end = cell.data() + last + 1;
  const auto [stop, error] = std::from_chars(cell.data() + first, end, number);
  return error == std::errc{} && stop == end && std::isfinite(number);
}

std::string comma_advice(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  const auto is_digit = [&](std::size_t at) {
    return at < cell.size() && cell[at] >= '0' && cell[at] <= '9';
  };
  if (comma == std::string_view::npos || comma == 0 || !is_digit(comma - 1) || !is_digit(comma + 1))
    return {};
  return "; it has a decimal comma: run the tool with LC_ALL=C";
}

}  // namespace gable::points
