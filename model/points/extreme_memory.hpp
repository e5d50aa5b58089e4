#pragma once

// The fastest and the slowest memory for a Point.

#include "model/points/limits/limits.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The memory with the highest (`fastest`) or the lowest roof: one node, or for a Point of all clusters a
/// node of each cluster for the data of its threads. Throws Error::usage if no memory roof is known.
Limit extreme_memory(const Roofs& roofs, const Point& point, bool fastest, const MixModel& hybrid = {});

}  // namespace gable::model
