#pragma once

// What of a node may explain that its figures differ from those of its equals.

#include <string>
#include <vector>

#include "model/cluster/node.hpp"

namespace gable::cli {

/// The facts of machine.json in DIR, without what differs between any two nodes.
std::vector<model::NodeFact> recorded_facts(const std::string& folder);

/// What this node's system tells beyond machine.json: DIMMs, BIOS, boost, its switch.
std::vector<model::NodeFact> system_facts();

/// The text that equal hardware has: CPU, clusters, caches, tiers, and memory to the next half power of two,
/// so that a node that lost a DIMM stays with its equals. `folder` has the machine.json of the facts.
std::string hardware_of(const std::string& folder, const std::vector<model::NodeFact>& facts);

/// The text of hardware_of() with the median of the memory that the nodes' facts tell: "memory 23.54 GiB",
/// and "about" where they differ.
std::string with_median_memory(const std::string& hardware,
                               const std::vector<const std::vector<model::NodeFact>*>& nodes);

}  // namespace gable::cli
