#pragma once

// Hand-offs of lines between cores of a machine where they were not measured.

#include <vector>

#include "model/predict/estimates/estimated.hpp"

namespace gable::model {

/// Adds the time of a hand-off between the cores of the cluster and, for a program of all clusters, between
/// clusters, where it was not measured, and names the figure as missing.
///
/// A line passes at least through the cache that the cores share, or through a core's last own cache if two
/// of them may be hardware threads of one core. If all of them share a cache whose size the ladder does not
/// contradict, it takes at most three loads from it: the question, that to the core that has the line, and
/// the answer. Otherwise it takes at most as long as a load from the memory, and twice as long between
/// clusters.
void add_handoffs(const Point& like, int cluster, const std::vector<ProfileCache>& caches, Estimated which,
                  EstimatedRoofs& to);

}  // namespace gable::model
