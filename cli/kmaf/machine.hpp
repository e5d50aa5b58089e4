#pragma once

// A recorded machine as gable kmaf replay simulates it.

#include <optional>
#include <string>
#include <vector>

#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/replay/machine/simulated_machine.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

struct ReplayMachine {
  std::string name;
  kmaf::SimulatedMachine machine;
  bool has_energy = false;
  std::vector<std::string> between_cores;  ///< what figures between cores are used for, a sentence each
  std::vector<std::string> derived;  ///< figures that no replay.json gives, and what each was derived from
};

/// topology.xml and replay.json of `folder`. Without replay.json its figures are derived from what was
/// measured; energies are then not known. Figures between cores are used where the folder has them. Throws
/// Error::usage naming the file and what it lacks.
ReplayMachine read_replay_machine(const std::string& folder);

/// What gable kmaf replay needs of a machine, from what gable measure found out about it.
struct DerivedTiming {
  kmaf::Timing timing;
  kmaf::TierFigures tiers;           ///< those of memory nodes without cores that were measured
  std::vector<std::string> sources;  ///< "l1_ns 1.27: idle latency of L1, median of 2 figures"
};

/// Reads DIR/roofs.json, or DIR/samples.jsonl where there is no roofs.json: idle latencies, and the load
/// bandwidths of each cluster alone from its own and from another cluster's memory. Throws Error::usage that
/// names what cannot be derived, and why; a tier of memory nodes without cores is left out instead.
DerivedTiming derived_timing(const std::string& folder, const machines::Machine& machine);

/// What gable kmaf takes from the figures between cores of a recorded machine.
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
