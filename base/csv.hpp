#pragma once

// Tables of separated values (RFC 4180 quoting), with the line number of every row.

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace gable {

struct CsvRow {
  int line = 0;  ///< on which it begins, from 1
  std::vector<std::string> cells;
};

/// The first `most` rows of `text`, without empty lines. Blanks around a quoted cell are no part of it.
/// Throws Error::format, which names `path`, for an unclosed quote, and for text behind a quoted cell.
std::vector<CsvRow> csv_rows(const std::string& text, char separator, const std::string& path,
                             std::size_t most = std::numeric_limits<std::size_t>::max());

/// The most frequent of comma, semicolon and tab in a line; a comma if it has none of them.
char separator_in(std::string_view line);

/// The number in the cell, which may have a sign, ignoring blanks around it; false for anything else,
/// including infinities and NaN.
bool to_number(std::string_view cell, double& number);

/// What to do about a cell that is no number; empty unless it has a decimal comma.
std::string comma_advice(std::string_view cell);

}  // namespace gable
