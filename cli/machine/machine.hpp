#pragma once

// gable machine [DIR]: what this machine, a recorded one or another's topology looks like to the rest of the
// program.

#include <optional>
#include <string>

namespace gable::cli {

struct MachineArguments {
  std::string folder;                    ///< of a recorded machine, or a published name; empty: this machine
  std::optional<std::string> xml;        ///< hwloc XML file of another machine
  std::optional<std::string> synthetic;  ///< hwloc's description of a made-up topology
  bool json = false;                     ///< print JSON instead of tables
};

/// Prints the machine. Throws Error::usage for a folder that is not there or has no topology.xml,
/// Error::format for a topology that cannot be read.
void show_machine(const MachineArguments& arguments);

}  // namespace gable::cli
