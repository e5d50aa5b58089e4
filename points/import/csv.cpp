#include "points/import/csv.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "points/import/import.hpp"

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

bool to_number(const std::string& cell, double& number) {
  const std::size_t first = cell.find_first_not_of(" \t");
  if (first == std::string::npos) return false;
  const std::size_t last = cell.find_last_not_of(" \t");
  const char* const end = cell.data() + last + 1;
  const auto [stop, error] = std::from_chars(cell.data() + first, end, number);
  return error == std::errc{} && stop == end && std::isfinite(number);
}

}  // namespace gable::points
