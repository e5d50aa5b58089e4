#pragma once

// Cores that another hardware thread uses too, seen from within: they do fewer independent additions per
// cycle than when they are alone.

namespace gable::model {

/// Whether the core was crowded when it did so many additions per cycle, if it does `most` when it is alone.
/// 0: not known.
inline bool is_crowded(double adds_per_cycle, double most) {
  constexpr double nearly = 0.92;
  return adds_per_cycle > 0 && adds_per_cycle < nearly * most;
}

}  // namespace gable::model
