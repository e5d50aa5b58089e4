#pragma once

// What changed lines of other cores cost a program, from the classes of pairs of cores.

#include <vector>

#include "model/c2c/classes.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// Sets `line_in_cluster` and `line_between_clusters` of the roofs, where classes of hand-offs tell them: the
/// median of the classes, and the lowest and the highest of their intervals. A program that changes a line
/// after another core takes it away from that core, as a hand-off does.
void add_changed_lines(const std::vector<C2cClassFigure>& classes, Roofs& roofs);

/// The nanoseconds of a line for a program of this cluster, or of all `clusters` (-1), whose threads share
/// their data with all others alike.
std::optional<Estimate> changed_line(const Roofs& roofs, int cluster, int clusters);

}  // namespace gable::model
