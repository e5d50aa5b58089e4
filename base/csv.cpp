#include "base/csv.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"

namespace gable {

std::vector<CsvRow> csv_rows(const std::string& text, char separator, const std::string& path,
                             std::size_t most) {
  std::vector<CsvRow> rows;
  CsvRow row{1, {""}};
  int line = 1, opened = 0;
  bool quoted = false, ended = false;  // in quotes, and behind those of the cell
  const auto finish = [&] {
    if (row.cells.size() > 1 || !trimmed(row.cells.front()).empty()) rows.push_back(row);
    row = {line, {""}};
    ended = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted) {
      const bool doubled = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (doubled) ++i;
      if (c == '"' && !doubled) {
        quoted = false;
        ended = true;
      } else {
        row.cells.back() += c;
      }
    } else if (c == '"' && !ended && trimmed(row.cells.back()).empty()) {
      row.cells.back().clear();
      quoted = true;
      opened = line;
    } else if (c == separator) {
      row.cells.emplace_back();
      ended = false;
    } else if (c == '\n') {
      finish();
      if (rows.size() == most) return rows;
    } else if (ended && c != ' ' && c != '\t' && c != '\r') {
      throw Error::format(path, line, "something follows a quoted cell before the next one");
    } else if (!ended && c != '\r') {
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

bool to_number(std::string_view cell, double& number) {
  cell = trimmed(cell);
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  const auto value = read_as<double>(cell);
  if (!value || !std::isfinite(*value)) return false;
  number = *value;
  return true;
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

}  // namespace gable
