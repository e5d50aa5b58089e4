#pragma once

// A table for a screen.

#include <string>

#include "base/tables/table.hpp"

namespace gable::cli {

/// The title, the rows in columns as wide as their widest cell, indented by two, and the notes; without rows
/// only the notes. A last column of words that is too wide for sentence_columns() is folded, or stands below
/// the others where they leave no room. `after`: a blank line behind it, unless there is nothing.
std::string table_text(const Table& table, bool after = true);

}  // namespace gable::cli
