#pragma once

// This file prints tables with the same rows side by side, such as "load bandwidth" and "idle latency" by
// node.

#include <string>
#include <vector>

#include "base/tables/table.hpp"

namespace gable::cli {

/// Each label is a line, with a row of each block. The blocks are side by side if they fit in
/// sentence_columns(), otherwise one below the other. A block that is wider than that is split between its
/// columns. Blocks without columns are left out.
std::string blocks_text(const std::vector<std::string>& labels, const std::vector<Table>& blocks);

/// Whether they fit side by side.
bool fit_side_by_side(const std::vector<std::string>& labels, const std::vector<Table>& blocks);

}  // namespace gable::cli
