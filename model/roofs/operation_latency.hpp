#pragma once

// How long an operation takes that the next one waits for.

#include <optional>
#include <vector>

#include "model/domain/latency_class.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// Nanoseconds of one such operation on a core of the cluster, with the interval, as a Roof with the clock at
/// which it was measured. From the figure of a square root, the multiplication that it contains is
/// subtracted, at the same clock; the interval then contains the intervals of both. Nothing for what was not
/// measured, and for the classes that no operation measures.
std::optional<Roof> operation_latency(const std::vector<Roof>& roofs, int cluster, LatencyClass of);

}  // namespace gable::model
