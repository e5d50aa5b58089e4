#pragma once

// The pairs of memories whose bandwidth is measured together (LARM paper, section 6.3).

#include <string>
#include <vector>

#include "machines/machine.hpp"

namespace gable::bench {

/// A cluster and two memory nodes; measurement decides which one is the faster.
struct Pair {
  int cluster = 0;
  machines::Node node, other;
};

/// At most `most` pairs for each cluster: two of its local nodes, or its only local node and a remote one.
/// Memories of different tiers come first, then near ones.
std::vector<Pair> pairs(const machines::Machine& machine, int most);

/// Why there is no pair; empty if there is one.
std::string no_pair(const machines::Machine& machine);

}  // namespace gable::bench
