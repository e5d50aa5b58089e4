#pragma once

// Clusters, nodes and pairs of memories that the topology describes in the same way. One of each class, its
// representative, is measured in full. Of the others some cells, the spots, are measured; the rest is a
// reserve, which is visited if a spot differs from the representative's. Of many pairs of a cluster and
// remote memory only some have spots: all cells of another pair are a reserve, which is visited if a spot of
// its cluster or of its node differs. So the time grows with the number of clusters and not with its square.

#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// Marks spots and reserves among the runs. `options` as for the plan.
void mark_like(const machines::Machine& machine, const Options& options, std::vector<Run>& runs);

}  // namespace gable::bench
