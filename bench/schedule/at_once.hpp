#pragma once

// Measures resources that are private to the cores of each cluster on all clusters at once.

#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// Joins runs that differ only in their clusters.
void join_private(const machines::Machine& machine, std::vector<Run>& runs);

/// The part of such a run that is one cluster's.
Run alone(const Run& run, std::size_t share);

}  // namespace gable::bench
