#pragma once

// The runs of access patterns on memory (model/domain/pattern.hpp). One row per pattern.

#include <cstdint>
#include <span>
#include <vector>

#include "machines/machine.hpp"
#include "model/domain/pattern.hpp"
#include "model/domain/tier.hpp"
#include "model/records/note.hpp"

namespace gable::bench {

/// One cluster's part in a run: its data is on one node, interleaved by page over several, or on two nodes in
/// a given share.
struct Share {
  int cluster = 0;
  std::vector<unsigned> nodes;    ///< os indices
  int node_percent = -1;          ///< the share of the pages on the first of two nodes; -1: none given
  int node_weight = 0;            ///< with a share: the number of pages on the first, ...
  int other_weight = 0;           ///< ... and then on the second, repeated; 0: as in page_mix.hpp
  bool own = false;               ///< the data is on one node, and that is local to the cluster
  int hands = 1;                  ///< threads of the cluster that can touch memory at the same time
  std::uint64_t stream_room = 0;  ///< bytes of all threads: the most that any run of the plan needs here
  std::uint64_t chase_room = 0;   ///< the same for a chase
};

/// One run of a pattern: all `shares` at the same time. If it has a reason, it cannot run on this machine.
struct Target {
  std::vector<Share> shares;
  int node = -1;      ///< the node that all of them use; -1 if they use different or several nodes
  model::Tiers tier;  ///< of the nodes
  model::Note skip;
};

/// What runs of a pattern on memory there are on a machine.
struct MemoryPattern {
  model::Pattern pattern;
  std::vector<Target> (*targets)(const machines::Machine&);
};

std::span<const MemoryPattern> memory_patterns();

/// Whether the node is one of the cluster's own.
bool is_local_to(const machines::Cluster& cluster, unsigned node);

/// The nodes that have memory, including nodes of unknown size.
std::vector<machines::Node> usable_nodes(const machines::Machine& machine);

}  // namespace gable::bench
