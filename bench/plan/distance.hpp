#pragma once

// How far nodes are from each other.

#include <optional>

#include "machines/machine.hpp"

namespace gable::bench {

/// As the firmware says, by os index; nothing where it does not.
std::optional<double> distance(const machines::Machine& machine, unsigned from, unsigned to);

}  // namespace gable::bench
