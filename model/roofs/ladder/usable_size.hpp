#pragma once

// This file finds how much of a shared cache a program can use. Caches of guests and of many cores have no
// sharp end in the ladder.

#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The working sets of one thread at which half of the lines come from the level and half from the next one,
/// so the time of a load is half-way between the two levels. 0: the ladder does not show it.
struct UsableSize {
  double chains = 0;   ///< by latency
  double streams = 0;  ///< by bandwidth, for lines in order, which are prefetched
};

/// Returns the usable size of a level whose measured size differs from the claimed one. Chains have no more
/// of it than lines in order: where bandwidths end sooner, latencies rise later for another reason, such as
/// the tables of pages, which leave the caches, too.
UsableSize usable_size(const Roofs& roofs, const CacheLevel& level);

}  // namespace gable::model
