#pragma once

// The effect of noise on a bulk-synchronous program on many nodes: each step computes on every node, and a
// collective operation then waits for the last one.
//
// Up to `exact_nodes` nodes every node is simulated, with its own way through the recorded detours. On more,
// the nodes' delays in a step are independent and have one distribution F, that of a piece of work which
// begins at a random time of the record, but not in a detour that is older than what the nodes waited at the
// end of the step before; their maximum is F's quantile at u^(1/nodes) for a uniform u. A step then costs
// about the same for any number of nodes.
//
// Messages take the LogP model's latency and overhead (Culler and others 1993).

#include <vector>

#include "model/statistics/statistics.hpp"
#include "model/virt/trace.hpp"

namespace gable::model {

struct ScaleOptions {
  double compute =
      0.01;  ///< seconds of a step on each node; strong scaling: on one node, all others share it
  int steps = 1000;
  double latency = 2e-6;   ///< seconds that a message is under way
  double overhead = 1e-6;  ///< seconds of the processor to send, and to receive
  bool tree = false;       ///< reduce and broadcast along a binary tree instead of dissemination
  bool strong = false;
};

inline constexpr int exact_nodes = 64;

struct ScalePoint {
  int nodes = 1;
  double quiet = 0;  ///< seconds of the whole run without noise
  /// Time with noise over time without. The mean and interval of 20 runs; beyond exact_nodes the mean of
  /// 60, with an interval over 60 runs with bootstrapped records.
  Estimate slowdown;
  /// Whether all windows of the record are fewer than the nodes: the longest recorded delay then comes at
  /// nearly every step, and longer delays, for which the record was too short, are missing.
  bool beyond_record = false;
};

/// One point for each number of nodes (1 or more). `traces` are of the same machine, at least one.
std::vector<ScalePoint> scale(const std::vector<NoiseTrace>& traces, const ScaleOptions& options,
                              const std::vector<int>& nodes);

/// 1, 2, 4, ... and `most` itself.
std::vector<int> doubled_up_to(int most);

}  // namespace gable::model
