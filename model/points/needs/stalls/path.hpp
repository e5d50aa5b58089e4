#pragma once

// The time of a Point's critical path: operations that wait for each other.

#include <optional>

#include "model/domain/latency_class.hpp"
#include "model/points/needs/measured.hpp"
#include "model/points/needs/needs.hpp"

namespace gable::model {

/// Nanoseconds of an operation that was not measured, at this clock: from the least to the most of cores.
MeasuredRange usual_latency(const LatencyClassRow& row, double ghz);

/// All operations of the critical path, one after the other in each thread, at the measured latencies of the
/// cluster. A cycle is that of its clock. Where a latency was not measured, it lies between the least and the
/// most of LatencyClassRow, and the need is a range if that matters. Cores may skip a load of what was just
/// stored, so it takes no time at least. Loads of chained lines count where
/// their need does (waiting_needs()). Nothing if the path or the clock is not known.
std::optional<Need> path_need(const Roofs& roofs, const Point& point, int cluster);

}  // namespace gable::model
