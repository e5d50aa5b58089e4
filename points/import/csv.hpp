#pragma once

// Tables of separated values (RFC 4180 quoting), with the line of every row at hand.

#include <string>
#include <vector>

namespace gable::points {

struct CsvRow {
  int line = 0;  ///< on which it begins, from 1
  std::vector<std::string> cells;
};

/// The rows of `text`; empty lines are left out. Throws ImportError for a quote that is never closed; `path`
/// is for that.
std::vector<CsvRow> csv_rows(const std::string& text, char separator, const std::string& path);

/// A number that fills the cell, blanks round it aside; false for anything else, infinities and NaN too.
bool to_number(const std::string& cell, double& number);

}  // namespace gable::points
