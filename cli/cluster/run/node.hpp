#pragma once

// The part of `gable cluster measure` that runs on every node: measures it into a folder of its own, then
// delivers the result.

#include <functional>

#include "cli/cluster/cluster.hpp"
#include "cli/cluster/run/launch.hpp"

namespace gable::cli {

/// What was called, with the place of node-local storage.
struct NodeTask : ClusterMeasureArguments {
  double seconds = 3600;  ///< the deadline, from the start
};

/// Measures this node, unless it is complete. `meanwhile` is called about once a second. A failure is
/// recorded in DIR, or else printed: for the process that started the launcher, or on standard error. False
/// where the node has no complete result after it.
bool measure_node(const NodeTask& task, const Launch& launch, const std::function<void()>& meanwhile);

/// Keeps the processes of a launch that have no node to measure asleep until the one of this node has ended.
void sleep_beside(const NodeTask& task);

}  // namespace gable::cli
