#pragma once

// All nodes that a cluster's DIR has, with the figures of each.

#include <map>
#include <string>
#include <vector>

#include "model/cluster/mpi.hpp"
#include "model/cluster/node.hpp"
#include "model/cluster/roof_lines.hpp"
#include "model/cluster/spread.hpp"

namespace gable::cli {

struct ClusterNode {
  model::NodeRecord record;
  /// By question; fewer than there are questions where it lacks the last, and none where it failed.
  std::vector<model::NodeFigure> figures;
};

/// An outlier with what may explain it.
struct NodeOutlier {
  std::size_t node = 0, question = 0;
  double value = 0, change = 0, p = 1;
  bool worse = false;
};

/// The value of a fact that most nodes of a group have.
struct UsualFact {
  std::string group, name, value;
  std::map<std::string, std::size_t> counts;  ///< nodes by value
};

struct NodeGroup {
  std::string hardware;
  std::vector<UsualFact> facts;
  double clock_ghz = 0;                    ///< median; 0: not known
  std::vector<std::size_t> nodes;          ///< with figures
  std::vector<std::size_t> questions;      ///< that any of them answers
  std::vector<model::RoofSpread> spreads;  ///< of each of these questions
  std::vector<NodeOutlier> outliers;       ///< the largest deviation first
};

struct RecordedCluster {
  std::string folder, name;
  std::vector<ClusterNode> nodes;  ///< by name, numbers in their order
  std::vector<model::NodeQuestion> questions;
  std::vector<NodeGroup> groups;  ///< largest first
  model::MpiRecords mpi;          ///< of gable-mpi; nothing without its file

  /// The figure of the node; not a number where it has none.
  const model::NodeFigure& figure(std::size_t node, std::size_t question) const;
  /// The figures of the group's nodes, in their order.
  std::vector<double> values(const NodeGroup& group, std::size_t question) const;
};

/// Reads node.json and roofs.json of every node; where there is no roofs.json, what gable fit would write. A
/// node with a file that is broken or cannot be read has failed, with that as its reason. Throws Error::usage
/// where DIR has no nodes.
RecordedCluster recorded_cluster(const std::string& folder);

/// In which facts the node differs from most of its group, and its clock from the median: "clock 2.1 GHz
/// (others 2.6 GHz); DIMMs 7 × 32 GiB (others 8 × 32 GiB)". Empty where nothing differs.
std::string what_differs(const RecordedCluster& cluster, const NodeGroup& group, std::size_t node);

/// Whether a first look shows it: loads, stores, peaks of FMA, idle latencies.
bool is_main_roof(const model::NodeQuestion& question);

}  // namespace gable::cli
