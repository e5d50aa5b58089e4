#pragma once

#include <string>

#include "machines/machine.hpp"

namespace gable::cli {

/// The machine of DIR/topology.xml. Throws Error::format for a broken file, and where DIR/machine.json is
/// there and describes another machine: of other memory nodes, or of clusters with other hardware threads or
/// nodes.
machines::Machine recorded_topology(const std::string& folder);

}  // namespace gable::cli
