#pragma once

// The table behind a picture, for gnuplot and for spreadsheets.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/tables/table.hpp"

namespace gable::charts {

class Table {
 public:
  /// The columns' names. Each is a valid gnuplot identifier; a script refers to the number of column `x` as
  /// `col_x`.
  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// Adds a row of empty cells, which `set` fills.
  void add_row() { rows_.emplace_back(columns_.size()); }

  /// Adds a row with the cells of the first columns; the others are empty. A number that is not finite leaves
  /// its cell empty. Throws std::logic_error for more cells than columns.
  template <typename... Values>
  void add(const Values&... values) {
    if (sizeof...(values) > columns_.size()) throw std::logic_error("more cells than columns");
    add_row();
    std::size_t column = 0;
    (set_cell(column++, values), ...);
  }

  /// Sets a cell of the last row. Numbers are written so that they can be read back exactly; a number that is
  /// not finite leaves the cell empty. Throws std::logic_error for an unknown column.
  template <typename Value>
  void set(const std::string& column, const Value& value) {
    set_cell(index_of(column), value);
  }

  std::size_t rows() const { return rows_.size(); }
  const std::vector<std::string>& columns() const { return columns_; }
  /// The cells, row by row.
  const std::vector<Row>& cells() const { return rows_; }

  /// Tab-separated, with one header line. In texts, tabs and line ends become spaces, double quotes become
  /// single ones and backslashes slashes, because gnuplot would interpret them and cannot escape them.
  std::string tsv() const;

 private:
  template <typename Value>
  void set_cell(std::size_t column, const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>)
      set_at(column, static_cast<double>(value));
    else
      set_at(column, Cell(value));
  }

  std::size_t index_of(const std::string& column) const;
  void set_at(std::size_t column, Cell value);
  void set_at(std::size_t column, double number);

  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

}  // namespace gable::charts
