#pragma once

// A recorded machine as gable kmaf replay simulates it.

#include <string>

#include "kmaf/replay/simulated_machine.hpp"

namespace gable::cli {

struct ReplayMachine {
  std::string name;
  kmaf::SimulatedMachine machine;
  bool has_energy = false;
};

/// Reads topology.xml and replay.json of `folder`. Throws UsageError that names the file and what it lacks.
ReplayMachine read_replay_machine(const std::string& folder);

}  // namespace gable::cli
