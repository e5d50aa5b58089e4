#pragma once

// Tables of separated values (RFC 4180 quoting), with the line number of every row.

#include <string>
#include <vector>

namespace gable::points {

struct CsvRow {
  int line = 0;  ///< on which it begins, from 1
  std::vector<std::string> cells;
};

/// The rows of `text` without empty lines. Throws Error::format, which names `path`, for an unclosed quote.
std::vector<CsvRow> csv_rows(const std::string& text, char separator, const std::string& path);

/// The number in the cell, ignoring blanks around it; false for anything else, including infinities and NaN.
bool to_number(const std::string& cell, double& number);

}  // namespace gable::points
