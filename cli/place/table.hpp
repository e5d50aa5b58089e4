#pragma once

// Placements as tables: TEPS by variant and placement, and advice.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// One table per workload, graph, cluster and thread count: variants as rows, placements as columns (PMEM
/// graph thesis, tables 3.3 and 3.4), their ratio to the first, and the cost of moving each part; then, if
/// a graph was run with several numbers of threads or with and without SMT, a comparison of these for every
/// placement (tables 3.5 and 3.6).
std::string place_table(const std::vector<model::Placed>& placed);

}  // namespace gable::cli
