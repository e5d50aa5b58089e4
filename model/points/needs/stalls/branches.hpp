#pragma once

// The time of mispredicted branches: what each costs by itself, and the loads that decide it.

#include <optional>

#include "model/points/needs/needs.hpp"

namespace gable::model {

/// Each mispredicted branch of the Point at its measured cost (mispredicted_branch()); it also waits for a
/// line without an order, as long as its function loads such lines, one after the other, unless loads of the
/// predicted path overlap. The need is a range if the loads matter, or if the cost was not measured.
/// `threads`: of the cluster. Nothing if no branch waits or costs, or the latency of a level is not known.
std::optional<Need> branch_need(const Roofs& roofs, const Point& point, int cluster, int threads);

}  // namespace gable::model
