#include "plots/charts/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gable::charts {

namespace {

std::string plain(std::string text) {
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
    if (letter == '"') letter = '\'';
    if (letter == '\\') letter = '/';
  }
  return text;
}

}  // namespace

void Table::set(const std::string& column, const std::string& text) {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) throw std::logic_error("no column " + column);
  rows_.back().at(static_cast<std::size_t>(found - columns_.begin())) = plain(text);
}

void Table::set(const std::string& column, double number) {
  set(column, std::isfinite(number) ? fmt::format("{}", number) : std::string());
}

std::string Table::tsv() const {
  std::string text = fmt::format("{}\n", fmt::join(columns_, "\t"));
  for (const auto& row : rows_) text += fmt::format("{}\n", fmt::join(row, "\t"));
  return text;
}

}  // namespace gable::charts
