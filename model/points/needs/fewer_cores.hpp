#pragma once

// Roofs that were measured with more threads than a Point uses cores.

#include <vector>

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// The steps of the cluster's ladder at which one thread loads.
std::vector<const Roof*> loads_of_one_thread(const Roofs& roofs, int cluster);

/// Makes the limit that of the cores that the Point uses of the cluster, if it was measured with more
/// threads. A peak: their part, or up to twice of it, since the clock of few cores may be higher. A cache or
/// the local memory: as many times what one thread reached in the cluster's ladder, but not more than the
/// roof. Without a ladder it lies between their part and the roof.
void keep_cores(const Roofs& roofs, const Point& point, int cluster, Limit& limit);

}  // namespace gable::model
