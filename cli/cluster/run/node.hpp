#pragma once

// The part of `gable cluster measure` that runs on every node: measures it into a folder of its own, then
// delivers the result.

#include <functional>
#include <string>
#include <vector>

#include "cli/cluster/cluster.hpp"
#include "cli/cluster/run/launch.hpp"

namespace gable::cli {

struct NodeTask {
  std::string folder;                    ///< DIR
  std::string local;                     ///< where node-local storage is
  std::vector<std::string> options;      ///< of gable measure
  double deadline = 3600;                ///< seconds from the start
  int sample = 0;                        ///< of each group of equal nodes; 0: all
  NodeStream stream = NodeStream::none;  ///< what it prints for the process that started the launcher
  std::vector<std::string> skip;         ///< nodes that need no measurement
};

/// Measures this node, unless it is complete. `meanwhile` is called about once a second. A failure is
/// recorded in DIR, or else printed: for the process that started the launcher, or on standard error. False
/// where the node has no complete result after it.
bool measure_node(const NodeTask& task, const Launch& launch, const std::function<void()>& meanwhile);

/// Keeps the processes of a launch that have no node to measure asleep until the one of this node has ended.
void sleep_beside(const NodeTask& task);

}  // namespace gable::cli
