#pragma once

// The table behind a picture: what gnuplot reads, and what a person opens in a spreadsheet.

#include <string>
#include <utility>
#include <vector>

namespace gable::charts {

class Table {
 public:
  /// The columns' names; each is a valid gnuplot identifier, and a script knows column `x` by its number
  /// `col_x`.
  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// Adds a row of empty cells, to be filled by `set`.
  void add_row() { rows_.emplace_back(columns_.size()); }

  /// Sets a cell of the last row. Numbers are written so that reading them back gives the same number; a
  /// number that is not finite leaves the cell empty. Throws std::logic_error for a column that does not
  /// exist.
  void set(const std::string& column, const std::string& text);
  void set(const std::string& column, double number);

  std::size_t rows() const { return rows_.size(); }
  const std::vector<std::string>& columns() const { return columns_; }

  /// Tab-separated, one header line. Tabs and line ends in a text become spaces, double quotes single ones
  /// and backslashes slashes: gnuplot would take them for structure, and has no way to escape them.
  std::string tsv() const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gable::charts
