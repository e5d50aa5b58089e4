#pragma once

// The distances between nodes.

#include <optional>

#include "machines/machine.hpp"

namespace gable::bench {

/// The firmware's distances by os index; nothing if it gives none.
std::optional<double> distance(const machines::Machine& machine, unsigned from, unsigned to);

}  // namespace gable::bench
