#pragma once

// Placements as tables for people: TEPS by variant and placement, and what to make of them.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// One table per workload, graph, cluster and thread count: variants as rows, placements as columns (PMEM
/// graph thesis, tables 3.3 and 3.4), their ratio to the first, and what moving each part costs; then, where
/// a graph was run with several numbers of threads or with and without SMT, these beside each other for every
/// placement (tables 3.5 and 3.6).
std::string place_table(const std::vector<model::Placed>& placed);

}  // namespace gable::cli
