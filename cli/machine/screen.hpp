#pragma once

#include "machines/host.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

/// Prints what gable machine shows: clusters, caches, memory nodes, distances and attributes, and of this
/// machine its host; `host` is null of another one.
void print_screen(const machines::Machine& machine, const machines::Host* host);

}  // namespace gable::cli
