#pragma once

// The pairs of memories whose bandwidth is measured together (LARM paper, section 6.3).

#include <string>
#include <vector>

#include "machines/machine.hpp"

namespace gable::bench {

/// A cluster and two memory nodes; which of them is the faster one is for the measurement to show.
struct Pair {
  int cluster = 0;
  machines::Node node, other;
};

/// At most `most` pairs for each cluster: two of its local nodes; where there is one local node, that one and
/// a remote node. Memories of different tiers come first, then those that are near.
std::vector<Pair> pairs(const machines::Machine& machine, int most);

/// Why there is no pair; empty where there is one.
std::string no_pair(const machines::Machine& machine);

}  // namespace gable::bench
