#pragma once

// What a folder's placements.jsonl has, on the screen; and what may be added to it.

#include <cstdint>
#include <string>
#include <vector>

#include "model/records.hpp"

namespace gable::cli {

/// The table, or the records as JSON.
void print_placements(const std::vector<model::Placed>& all, bool json);

/// Prints what was placed before, of this workload and graph where they are not empty. Throws UsageError
/// where nothing is left.
void list_placements(const std::string& folder, const std::string& workload, const std::string& graph,
                     bool json);

/// Placements are compared by their graph's name. Throws UsageError where the records at `path` are of
/// another graph of this name.
void require_same_graph(const std::string& path, const std::string& name, std::uint64_t vertices,
                        std::uint64_t edges);

}  // namespace gable::cli
