#include "plots/charts/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ranges>

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

std::size_t Table::index_of(const std::string& column) const {
  const auto found = std::ranges::find(columns_, column);
  if (found == columns_.end()) throw std::logic_error("no column " + column);
  return static_cast<std::size_t>(found - columns_.begin());
}

void Table::set_at(std::size_t column, Cell value) {
  value.text = plain(std::move(value.text));
  rows_.back().at(column) = std::move(value);
}

void Table::set_at(std::size_t column, double number) {
  if (!std::isfinite(number)) return set_at(column, Cell());
  Cell value(fmt::format("{}", number));
  value.number = number;
  set_at(column, std::move(value));
}

std::string Table::tsv() const {
  std::string text = fmt::format("{}\n", fmt::join(columns_, "\t"));
  for (const Row& row : rows_)
    text += fmt::format("{}\n", fmt::join(row | std::views::transform(&Cell::text), "\t"));
  return text;
}

}  // namespace gable::charts
