#pragma once

// A recorded machine as gable kmaf replay simulates it.

#include <string>
#include <vector>

#include "kmaf/replay/machine/simulated_machine.hpp"

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

}  // namespace gable::cli
