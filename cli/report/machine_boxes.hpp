#pragma once

// A recorded machine as boxes: packages with their clusters, these with cores, caches and memory nodes.

#include <string>
#include <vector>

#include "cli/recorded_machine.hpp"
#include "plots/html/boxes.hpp"

namespace gable::cli {

/// `topology`: the path of the folder's topology.xml, which alone tells packages; a file that is absent
/// or broken leaves them out, and why is added to `remarks`.
std::vector<html::Box> machine_boxes(const RecordedMachine& machine, const std::string& topology,
                                     std::vector<std::string>& remarks);

}  // namespace gable::cli
