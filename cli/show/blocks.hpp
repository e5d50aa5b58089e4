#pragma once

// Tables of the same rows beside each other: "load bandwidth" and "idle latency" by node.

#include <string>
#include <vector>

#include "base/tables/table.hpp"

namespace gable::cli {

/// A line for each label, which is a row of each block. The blocks stand side by side where they fit in
/// sentence_columns(), else one below the other; a block that is wider itself is cut between its columns.
/// Blocks without columns are left out.
std::string blocks_text(const std::vector<std::string>& labels, const std::vector<Table>& blocks);

/// Whether they fit side by side.
bool fit_side_by_side(const std::vector<std::string>& labels, const std::vector<Table>& blocks);

}  // namespace gable::cli
