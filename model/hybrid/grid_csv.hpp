#pragma once

// A grid of the hybrid model as CSV, measured by any tool.

#include <string>
#include <string_view>
#include <vector>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

struct CsvGrid {
  std::vector<Cell> cells;  ///< sorted by bytes; rows with the same bytes are repetitions of one cell
  int rows = 0;
};

/// The first line must name the columns load_slow_bytes, store_slow_bytes, load_fast_bytes, store_fast_bytes
/// and seconds; their order is free and there may be others. Fields may be quoted; CR LF, a mark of UTF-8
/// and empty lines are accepted. Throws Error::format "path:line: ..." for a missing or duplicate column and
/// for a row with another number of fields, with values in these columns that are not finite numbers, with
/// negative bytes, without bytes, or with seconds that are not above 0.
CsvGrid grid_from_csv(std::string_view text, const std::string& path);

}  // namespace gable::model
