#pragma once

// A grid of the hybrid model as CSV, measured by any tool.

#include <string>
#include <string_view>
#include <vector>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

struct CsvGrid {
  std::vector<Cell> cells;  ///< sorted by bytes; the rows with the same bytes are the repetitions of one cell
  int rows = 0;
};

/// Columns load_slow_bytes, store_slow_bytes, load_fast_bytes, store_fast_bytes and seconds, in any order and
/// among others, named in the first line. Fields may be quoted; CR LF, a byte order mark and empty lines are
/// no fault. Throws FormatError "path:line: ..." for a missing or doubled column, and for a row with another
/// number of fields, with anything but finite numbers in these columns, with negative bytes, no bytes at all,
/// or seconds not above 0.
CsvGrid grid_from_csv(std::string_view text, const std::string& path);

}  // namespace gable::model
