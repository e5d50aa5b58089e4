#pragma once

// The hierarchy graph (kMAF paper, section 3.4.1): the machine as a tree whose leaves are the hardware
// threads.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "machines/machine.hpp"

namespace gable::kmaf {

/// One level of the tree: nodes, caches, cores or threads. Levels of arity 1 are left out because they
/// separate nothing.
struct Level {
  int arity = 0;  ///< parts of each part of the level above, above 1
  int cost = 0;   ///< relative cost of an access between two hardware threads that this level separates
};

struct Leaf {
  unsigned pu = 0;  ///< os index of the hardware thread
  int node = 0;     ///< index into `Hierarchy::nodes`
  int core = 0;     ///< number of the core in the machine
  int slot = 0;     ///< number of the leaf in the regular tree of `levels`
};

/// A node here is a cluster of the machine: cores with their local memory. If the machine is irregular
/// (clusters of different sizes), `levels` is the smallest regular tree that contains it, and some slots have
/// no leaf.
struct Hierarchy {
  std::vector<Level> levels;      ///< outermost first; empty: a single hardware thread
  std::vector<Leaf> leaves;       ///< ascending slot
  std::vector<unsigned> nodes;    ///< os index of the memory to which the pages of that node are moved
  std::vector<int> clusters;      ///< index of the machine's cluster that each node is
  std::uint64_t cache_bytes = 0;  ///< of one outermost cache, the smallest of all nodes; 0: unknown

  int slots() const;  ///< leaves of the regular tree
  /// Cost of the outermost level that separates the two leaves; 0 for a leaf and itself.
  int distance(int leaf, int other) const;
  std::optional<int> leaf_of_pu(unsigned pu) const;
  bool is_regular() const { return slots() == static_cast<int>(leaves.size()); }
};

/// The hierarchy of `machine`. Each level costs four times the level inside it: the value of a mapping
/// depends on the order of the levels and hardly on their ratio. Clusters without cores are left out. Throws
/// Error::usage if the machine's cores have no memory node.
Hierarchy hierarchy_of(const machines::Machine& machine);

/// What it costs to move a line between two hardware threads, by their os indices, in any unit; nothing if
/// that was not measured.
using MeasuredCost = std::function<std::optional<double>(unsigned pu, unsigned other)>;

/// Replaces the costs of the levels by measured ones: a level costs the median over pairs that it separates,
/// in quarters of the innermost level's. The costs stay as they are if a level has no measured pair, or a
/// level is not dearer than the one inside it. Returns whether they were replaced.
bool use_measured_costs(Hierarchy& hierarchy, const MeasuredCost& cost);

}  // namespace gable::kmaf
