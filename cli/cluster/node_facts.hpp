#pragma once

// What of a node may explain that its figures differ from those of its equals.

#include <compare>
#include <string>
#include <vector>

#include "model/cluster/node.hpp"

namespace gable::cli {

/// What machine.json in DIR says of the node: its hardware, and its facts. Nothing without the file.
void add_machine(model::NodeRecord& record, const std::string& folder);

/// What this node's system tells beyond machine.json: DIMMs, BIOS, boost, its switch.
std::vector<model::NodeFact> system_facts();

/// Equal nodes have the same: CPU, clusters, caches, tiers, and memory to the next half power of two, so that
/// a node that lost a DIMM stays with its equals.
struct HardwareGroup {
  std::string hardware;  ///< as in node.json
  int memory = -1;       ///< its power of two times 2; -1: not known
  auto operator<=>(const HardwareGroup&) const = default;
};
HardwareGroup hardware_group(const model::NodeRecord& record);

/// "Xeon; 2 clusters of 8 cores; ...; memory 23.54 GiB": the median of the nodes' memory, and "about" where
/// they differ.
std::string hardware_group_text(const HardwareGroup& group, const std::vector<double>& memory_bytes);

}  // namespace gable::cli
