#pragma once

// A table of typed cells: the output of a command, independent of its format. cli/text/ and plots/html/
// render it, and csv_text() writes it as CSV.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gable {

struct Cell {
  std::string text;              ///< as it is shown
  std::string interval;          ///< of a figure: "±0.4 %", "(0.50 to 9.25)"; follows the text
  std::optional<double> number;  ///< of a figure, exactly, for charts

  Cell() = default;
  Cell(std::string words) : text(std::move(words)) {}
  Cell(const char* words) : text(words) {}
  Cell(std::string figure, std::string around) : text(std::move(figure)), interval(std::move(around)) {}

  bool empty() const { return text.empty(); }
  std::string words() const { return interval.empty() ? text : text + " " + interval; }
};

struct Column {
  std::string name;
  bool has_figures = true;  ///< figures are aligned right, words left
};

using Row = std::vector<Cell>;  ///< a cell for each column

struct Table {
  std::string title = {};
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};
  std::vector<std::string> notes = {};  ///< sentences below it

  bool empty() const { return rows.empty(); }

  void add_column(std::string name, bool has_figures = true) {
    columns.push_back({std::move(name), has_figures});
  }

  void drop_column(std::size_t index);
};

/// Makes the columns of a table: first columns of words, then columns of figures, then columns of words
/// again.
std::vector<Column> columns(const std::vector<std::string>& words,
                            const std::vector<std::string>& figures = {},
                            const std::vector<std::string>& last = {});

/// The table as comma-separated values (RFC 4180), for spreadsheets and scripts. The first line has the names
/// of the columns. The title and the notes are left out.
std::string csv_text(const Table& table);

}  // namespace gable
