#pragma once

// A table for spreadsheets and scripts.

#include <string>

#include "base/tables/table.hpp"

namespace gable {

/// Comma-separated values as RFC 4180 has them, with a line of the columns' names; neither title nor notes.
std::string csv_text(const Table& table);

}  // namespace gable
