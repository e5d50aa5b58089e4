#pragma once

// What a folder's placements.jsonl has, on the screen.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// The table, or the records as JSON.
void print_placements(const std::vector<model::Placed>& all, bool json);

/// Prints what was placed before, of this workload and graph where they are not empty. Throws UsageError
/// where nothing is left.
void list_placements(const std::string& folder, const std::string& workload, const std::string& graph,
                     bool json);

}  // namespace gable::cli
