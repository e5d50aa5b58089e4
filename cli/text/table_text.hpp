#pragma once

// This file renders a table for the screen.

#include <string>

#include "base/tables/table.hpp"

namespace gable::cli {

/// Returns the title, the rows and the notes; a table without rows has only its notes. Rows are indented by
/// two, and a column is as wide as its widest cell. A last column of words that is too wide for
/// sentence_columns() is folded, or placed below the others if they leave no room. If `after`, a blank line
/// follows any text.
std::string table_text(const Table& table, bool after = true);

}  // namespace gable::cli
