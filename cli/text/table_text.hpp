#pragma once

// Tables and their figures, for the screen.

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// "0.4 %": the distance to the further end of the interval, rounded up; "0.50 to 9.25": its ends where that
/// is more than 100 % of the value; empty where both ends are the value.
std::string interval_text(double value, double lo, double hi);

/// The same of an ok roof; "?" where it has no interval: a single repetition, or a source that gives none.
std::string interval_cell(const model::Roof& roof);

/// "36.10 ±0.4 %", "3.12 (0.50 to 9.25)": with what interval_text() says; the value alone where that is
/// empty. `unit` follows the value.
Cell with_interval(double value, double lo, double hi, const std::string& unit = "");

/// The same of a roof; "36.10 ±?" of a single repetition; of a source that gives no
/// interval the value alone.
Cell figure_cell(const model::Roof& roof);

/// Returns the title, the rows and the notes; a table without rows has only its notes. Rows are indented by
/// two, and a column is as wide as its widest cell. A last column of words that is too wide for
/// sentence_columns() is folded, or placed below the others if they leave no room. If `after`, a blank line
/// follows any text.
std::string table_text(const Table& table, bool after = true);

/// Tables with the same rows side by side, such as "load bandwidth" and "idle latency" by node. Each label is
/// a line, with a row of each block. The blocks are side by side if they fit in sentence_columns(), otherwise
/// one below the other. A block that is wider than that is split between its columns. Blocks without columns
/// are left out.
std::string blocks_text(const std::vector<std::string>& labels, const std::vector<Table>& blocks);

/// Whether they fit side by side.
bool fit_side_by_side(const std::vector<std::string>& labels, const std::vector<Table>& blocks);

}  // namespace gable::cli
