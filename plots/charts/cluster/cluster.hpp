#pragma once

// Charts of many nodes: with the same hardware, and among them by gable-mpi.

#include <string>
#include <vector>

#include "model/cluster/mpi.hpp"
#include "plots/charts/chart.hpp"

namespace gable::charts {

/// One figure of every node of a group.
struct NodeRoof {
  std::string name, unit;
  std::vector<double> values;         ///< by node; not a number where it has none
  std::vector<std::size_t> outliers;  ///< indices of nodes
};

struct NodeGroupFigures {
  std::string cluster;     ///< name of the recording
  std::string hardware;    ///< of the group
  std::size_t number = 0;  ///< of the group, for the names of the charts
  std::vector<std::string> nodes;
  std::vector<NodeRoof> roofs;
};

/// A strip for each roof: every node's distance from the median; quartiles, range and outliers of many nodes.
/// With `changes`, the values are ratios to an earlier recording, and 0 is no change.
Chart strip_chart(const NodeGroupFigures& group, bool changes = false);

/// Nodes in their order as cells, coloured by one roof; outliers are framed and named.
Chart map_chart(const NodeGroupFigures& group, std::size_t roof);

/// What gable-mpi measured: latency and bandwidth over the size of messages, collectives and HPCCG over the
/// number of processes; those of which there are figures.
std::vector<Chart> mpi_charts(const std::string& cluster, const model::MpiRecords& records);

}  // namespace gable::charts
