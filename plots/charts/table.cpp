#include "plots/charts/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ranges>
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

Cell& Table::cell(const std::string& column) {
  const auto found = std::ranges::find(columns_, column);
  if (found == columns_.end()) throw std::logic_error("no column " + column);
  return rows_.back().at(static_cast<std::size_t>(found - columns_.begin()));
}

void Table::set(const std::string& column, Cell value) {
  value.text = plain(std::move(value.text));
  cell(column) = std::move(value);
}

void Table::set(const std::string& column, double number) {
  Cell value;
  if (std::isfinite(number)) {
    value.text = fmt::format("{}", number);
    value.number = number;
  }
  set(column, std::move(value));
}

std::string Table::tsv() const {
  std::string text = fmt::format("{}\n", fmt::join(columns_, "\t"));
  for (const Row& row : rows_)
    text += fmt::format("{}\n", fmt::join(row | std::views::transform(&Cell::text), "\t"));
  return text;
}

}  // namespace gable::charts
