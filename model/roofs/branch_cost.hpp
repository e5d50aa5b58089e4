#pragma once

// The cost of a mispredicted branch, from branches with random outcomes and branches with one outcome.

#include <optional>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// Nanoseconds that a core of the cluster loses by a mispredicted branch, with the interval, as a Roof with
/// the clock at which it was measured. Half of the branches with random outcomes are mispredicted, and none
/// of the others, so the cost is twice the difference of their times. Its interval contains the intervals of
/// both. Nothing if one of them was not measured.
std::optional<Roof> mispredicted_branch(const std::vector<Roof>& roofs, int cluster);

}  // namespace gable::model
