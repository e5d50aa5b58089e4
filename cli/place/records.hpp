#pragma once

// Prints the content of a folder's placements.jsonl.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// The table, or the records as JSON.
void print_placements(const std::vector<model::Placed>& all, bool json);

/// Prints earlier placements, of this workload and graph unless these are empty. Throws Error::usage if there
/// are none.
void list_placements(const std::string& folder, const std::string& workload, const std::string& graph,
                     bool json);

}  // namespace gable::cli
