#pragma once

// What gable kmaf takes from the figures between cores of a recorded machine.

#include <optional>
#include <string>
#include <vector>

#include "kmaf/engine/hierarchy.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

struct MeasuredCosts {
  kmaf::MeasuredCost cost;           ///< of a hand-off between two hardware threads, by their class, in ns
  double core_transfer_ns = 0;       ///< of a modified line between cores of a node; 0: not measured
  double node_transfer_ns = 0;       ///< the same between nodes
  std::vector<std::string> sources;  ///< "core_transfer_ns 18.2: modified line between cores of a node"
  std::string of_levels;             ///< what to say where `cost` is used for the levels of the hierarchy
};

/// From DIR/c2c.jsonl, with the line on the node of the first hardware thread; nothing without figures.
/// `machine` has the topology of the folder. Throws Error::format.
std::optional<MeasuredCosts> measured_costs(const std::string& folder, const machines::Machine& machine);

}  // namespace gable::cli
