#pragma once

// The ways that a workload could be run, beside each other.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// Ways as rows, variants as columns: million edges a second of a short run in the first placement, a star at
/// the one that was taken; PageRank's vectors of ranks beside those of neighbours. Records of one workload,
/// graph and team; empty where there was nothing to choose.
std::string ways_table(const std::vector<model::Placed>& placed);

}  // namespace gable::cli
