#pragma once

// How much of a cache a program can use that shares it: caches of guests and of many cores end gradually.

#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The working sets of one thread of which half of the lines come from the level and half from the next one:
/// the time of a load is half-way between both. 0: the ladder does not tell.
struct UsableSize {
  double chains = 0;   ///< by latency
  double streams = 0;  ///< by bandwidth: lines in order, which are fetched ahead
};

/// Of a level whose measured size is not the claimed one.
UsableSize usable_size(const Roofs& roofs, const CacheLevel& level);

}  // namespace gable::model
