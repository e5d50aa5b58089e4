#pragma once

// Access patterns on memory: who runs, and where their data lies (LARM paper, section 2, figure 2). One row
// each.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machines/machine.hpp"

namespace gable::bench {

/// One cluster's part in a run: its data lies on one node, interleaved by page over several, or on two in a
/// given share.
struct Share {
  int cluster = 0;
  std::vector<unsigned> nodes;  ///< os indices
  int node_percent = -1;  ///< the share of the pages that lie on the first of two nodes; -1: no share given
  int node_weight = 0;    ///< with a share: so many pages on the first, ...
  int other_weight = 0;   ///< ... so many on the second and so on; 0: page_mix.hpp tells how
};

/// One run of a pattern: everybody in `shares` at the same time. With a reason, it cannot be run on this
/// machine.
struct Target {
  std::vector<Share> shares;
  int node = -1;     ///< the node all of them use; -1 where they use different ones or several
  std::string tier;  ///< of the nodes
  std::string skip;
};

struct Pattern {
  std::string_view name;
  std::string_view summary;
  std::vector<Target> (*targets)(const machines::Machine&);
};

std::span<const Pattern> patterns();

/// The nodes that have memory; one of unknown size counts.
std::vector<machines::Node> usable_nodes(const machines::Machine& machine);

}  // namespace gable::bench
