#pragma once

// These turn Samples of pattern "hybrid" into the pairs of memories and their models.

#include <vector>

#include "model/hybrid/hybrid.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// One HybridPair for each cluster, alone or with all others, two nodes, page size and number of threads, in
/// the order of their first Samples, with its cells fitted. A spot check with all clusters is skipped; its
/// reason tells what it says of the estimate (model/hybrid/everywhere.hpp). The applications (ddot, scale,
/// triad) and the cells interleaved N:M are kept beside them and not fitted. The memory with the higher
/// bandwidth of loads alone is the fast one; a pair for which this is unknown is invalid. A cell uses the
/// bytes that its Samples found on each node, not the requested ones. Of several ISAs the fastest counts.
/// Cases without a figure are in `missing`.
Hybrid fit_pairs(const std::vector<Sample>& samples);

}  // namespace gable::model
