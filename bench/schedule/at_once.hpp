#pragma once

// Measures resources that are private to the cores of each cluster on all clusters at once.

#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// Whether no other cluster takes part in what the Case measures: peaks, caches of this cluster alone, and
/// steps of the ladder that these hold. Not local memory: several clusters may slow each other down there.
bool serves_one_cluster(const machines::Machine& machine, const model::Case& spec);

/// Joins runs that differ only in their clusters.
void join_private(const machines::Machine& machine, std::vector<Run>& runs);

/// The part of such a run that is one cluster's.
Run alone(const Run& run, std::size_t share);

}  // namespace gable::bench
