#pragma once

// The table behind a picture, for gnuplot and for spreadsheets.

#include <string>
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

  /// Sets a cell of the last row. Numbers are written so that they can be read back exactly; a number that is
  /// not finite leaves the cell empty. Throws std::logic_error for an unknown column.
  void set(const std::string& column, Cell value);
  void set(const std::string& column, double number);

  std::size_t rows() const { return rows_.size(); }
  const std::vector<std::string>& columns() const { return columns_; }
  /// The cells, row by row.
  const std::vector<Row>& cells() const { return rows_; }

  /// Tab-separated, with one header line. In texts, tabs and line ends become spaces, double quotes become
  /// single ones and backslashes slashes, because gnuplot would interpret them and cannot escape them.
  std::string tsv() const;

 private:
  Cell& cell(const std::string& column);  // of the last row

  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

}  // namespace gable::charts
