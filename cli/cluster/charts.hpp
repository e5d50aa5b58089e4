#pragma once

// The charts of a recorded cluster.

#include <vector>

#include "cli/cluster/recorded_cluster.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/cluster/cluster.hpp"

namespace gable::cli {

struct NodeGroupCharts {
  charts::Chart strips, map;
};

/// `roof`: the question of the map.
NodeGroupCharts charts_of_group(const RecordedCluster& cluster, std::size_t group, std::size_t roof);
std::vector<charts::Chart> charts_of_cluster(const RecordedCluster& cluster, std::size_t roof);

/// The group's nodes and roofs, as charts take them.
charts::NodeGroupFigures figures_of_group(const RecordedCluster& cluster, std::size_t group);

}  // namespace gable::cli
