#pragma once

// What gable cluster show prints as one JSON document.

#include <string>

#include "cli/cluster/recorded_cluster.hpp"

namespace gable::cli {

/// Nodes, groups, spreads and outliers; docs/cluster.md lists the fields.
std::string cluster_json(const RecordedCluster& cluster);

}  // namespace gable::cli
