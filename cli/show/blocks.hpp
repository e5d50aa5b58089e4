#pragma once

// Tables whose columns stand in groups with a title each: "load bandwidth" and "idle latency" by node.

#include <string>
#include <vector>

#include "cli/text/columns.hpp"

namespace gable::cli {

struct Block {
  std::string title;
  Cells columns;             ///< their names
  std::vector<Cells> lines;  ///< as many as there are labels
};

/// One line for each label. The blocks stand side by side where they fit in sentence_columns(), else one
/// below the other; a block that is wider itself is cut between its columns. Blocks without columns are left
/// out.
std::string blocks_text(const std::vector<std::string>& labels, const std::vector<Block>& blocks);

/// Whether they fit side by side.
bool fit_side_by_side(const std::vector<std::string>& labels, const std::vector<Block>& blocks);

}  // namespace gable::cli
