#pragma once

// The time of mispredicted branches: what each costs by itself, and the loads that decide it.

#include <optional>

#include "model/points/needs/measured.hpp"
#include "model/points/needs/needs.hpp"

namespace gable::model {

/// Seconds of all mispredicted branches of these instructions in the cluster, one after the other: each at
/// its measured cost (mispredicted_branch()), and the time until the operations that decide it have ended.
/// Nothing if the cost was not measured.
std::optional<MeasuredRange> seconds_of_branches(const Roofs& roofs, int cluster,
                                                 const Instructions& instructions);

/// The mispredicted branches of the Point (seconds_of_branches()); they also wait
/// for their loads without an order (Instructions::waited_loads). If these are not known, each waits for a
/// line of its function, unless loads of the predicted path overlap: a range if the loads matter, or if the
/// cost was not measured. `threads`: of the cluster. Nothing if no branch waits or costs, or the latency of a
/// level is not known.
std::optional<Need> branch_need(const Roofs& roofs, const Point& point, int cluster, int threads);

}  // namespace gable::model
