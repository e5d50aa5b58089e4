#pragma once

// gable cluster show and report: the nodes, their groups, the spread of every roof, and who differs.

#include <string>

#include "base/tables/table.hpp"
#include "cli/cluster/recorded_cluster.hpp"
#include "cli/output_file.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/cluster/cluster.hpp"

namespace gable::cli {

/// The charts of a recorded cluster.
struct NodeGroupCharts {
  charts::Chart strips, map;
};

/// The group's nodes and roofs, as charts take them.
charts::NodeGroupFigures figures_of_group(const RecordedCluster& cluster, std::size_t group);

struct ClusterShowArguments {
  std::string folder;
  bool nodes = false;  ///< a table of every node
  bool all = false;    ///< every roof, not only the main ones
  bool json = false;
  std::string roof;  ///< of the map: a part of its name; empty: the first bandwidth of a memory
  std::string
      output;  ///< report: the HTML file; empty: DIR/report.html. show: a folder for charts; empty: none
  PictureArguments pictures;
};

/// Prints tables or JSON. Throws Error::usage, Error::format.
void cluster_show(const ClusterShowArguments& arguments);
/// Writes one HTML file.
void cluster_report(const ClusterShowArguments& arguments);

/// "64 nodes: 61 complete, 2 hung, 1 failed", and a line for each node without figures.
std::string nodes_summary(const RecordedCluster& cluster);
/// The spread of the main roofs in the group, or of `all`.
Table spread_table(const RecordedCluster& cluster, const NodeGroup& group, bool all);
/// The outliers of the group by node, the worst node first, with what differs.
Table outlier_table(const RecordedCluster& cluster, const NodeGroup& group);
/// A line for each node with the roofs that differ most in meaning: peaks, caches, memories.
Table node_table(const RecordedCluster& cluster, const NodeGroup& group);

/// What gable-mpi recorded: every measurement with its interval, or why it has none; empty without records.
Table mpi_table(const model::MpiRecords& records);

/// The clocks of the nodes beside the first one's.
Table clock_table(const model::MpiRecords& records);

/// The question whose name has the words; the map's default for an empty text. Throws Error::usage.
std::size_t question_named(const RecordedCluster& cluster, const std::string& words);

}  // namespace gable::cli
