#pragma once

// The pairs of memories whose bandwidth is measured together (LARM paper, section 6.3).

#include <vector>

#include "machines/machine.hpp"
#include "model/records/note.hpp"

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
model::Note no_pair(const machines::Machine& machine);

/// What all clusters use at once, each two of its own nodes: of every cluster that has one the first pair,
/// then the second, and so on, at most `most`.
std::vector<std::vector<Pair>> pairs_at_once(const machines::Machine& machine, int most);

/// Why there are none; empty if there are.
model::Note no_pairs_at_once(const machines::Machine& machine);

}  // namespace gable::bench
