#pragma once

// From Samples of pattern "hybrid" to the pairs of memories and their models.

#include <vector>

#include "model/hybrid/hybrid.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// One HybridPair for each cluster, two nodes, page size and number of threads, in the order in which they
/// first appear, with its cells fitted; the applications (ddot, scale, triad) and what was interleaved N:M
/// beside them, not fitted. The
/// memory with the higher bandwidth of loads alone is the fast one; a pair in which that is not known is
/// invalid. A cell is measured by what its Samples found in each node, not by what was asked; of several
/// ISAs the best counts. Cases without a figure are in `missing`.
Hybrid fit_pairs(const std::vector<Sample>& samples);

}  // namespace gable::model
