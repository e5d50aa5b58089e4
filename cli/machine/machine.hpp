#pragma once

// gable machine: what this machine, or another's topology, looks like to the rest of the program.

#include <optional>
#include <string>

namespace gable::cli {

struct MachineArguments {
  std::optional<std::string> xml;        ///< hwloc XML file of another machine
  std::optional<std::string> synthetic;  ///< hwloc's description of a made-up topology
  bool json = false;                     ///< print JSON instead of tables
};

/// Prints the machine. Throws TopologyError for a topology that cannot be read.
void show_machine(const MachineArguments& arguments);

}  // namespace gable::cli
