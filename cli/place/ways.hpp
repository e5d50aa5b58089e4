#pragma once

// Compares the ways to run a workload.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// Ways as rows, variants as columns: million edges per second of a short run in the first placement, with a
/// star at the selected way; PageRank's vectors of ranks and of neighbours. Records of one workload, graph
/// and team; empty without a choice.
std::string ways_table(const std::vector<model::Placed>& placed);

}  // namespace gable::cli
