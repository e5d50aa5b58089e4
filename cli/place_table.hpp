#pragma once

// Placements as tables for people: TEPS by variant and placement, and what to make of them.

#include <string>
#include <vector>

#include "model/records.hpp"

namespace gable::cli {

/// One table per workload, graph, cluster and thread count: variants as rows, placements as columns (PMEM
/// graph thesis, tables 3.3 to 3.6), their ratio to the first; then what moving each part costs.
std::string place_table(const std::vector<model::Placed>& placed);

}  // namespace gable::cli
