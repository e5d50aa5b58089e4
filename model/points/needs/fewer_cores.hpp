#pragma once

// Roofs that were measured with more threads than a Point uses cores.

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// GB/s that one thread of the cluster loads from a level, by the ladder: the median of the steps well beyond
/// the cache before and well within the level, or of those between the two sizes if there are none. Memory:
/// steps that no cache can hold a large part of. 0: there are no such steps.
double rate_of_one_thread(const Roofs& roofs, int cluster, const Level& level);

/// What one thread loads by the ladder, as a part of what the threads of the measurement load from its level,
/// pattern and node: with the kernel of the ladder, or else with the fastest. 0: not known.
double part_of_one_thread(const Roofs& roofs, const Case& of);

/// Makes the limit that of the cores that the Point uses of the cluster, if it was measured with more
/// threads. A peak: their part, or up to twice of it, since the clock of few cores may be higher. A cache or
/// the local memory: as many times what one thread reached in the cluster's ladder, but not more than the
/// roof. Without a ladder it lies between their part and the roof.
void keep_cores(const Roofs& roofs, const Point& point, int cluster, Limit& limit);

}  // namespace gable::model
