#pragma once

// A table for spreadsheets and scripts.

#include <string>

#include "base/tables/table.hpp"

namespace gable {

/// The table as comma-separated values (RFC 4180). The first line has the names of the columns. The title and
/// the notes are left out.
std::string csv_text(const Table& table);

}  // namespace gable
