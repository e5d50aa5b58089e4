#pragma once

// Placed runs as points on the Locality-Aware Roofline chart.

#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// The points of each workload, graph and cluster among the records: the variant and threads with the most
/// edges per second, in every placement, as "pagerank kron:20, 16 ranks, DP". Flops and bytes are those of
/// the algorithm (counter "algorithm"); records without flops, such as a search's, give no point. Placements
/// with all parts in one other tier are derived from the one with all parts in the first tier, so that an
/// arrow shows the cost of moving everything; arrows to mixed placements would lie on the same line. If the
/// nodes of a part are not known, as for a file on DAX, those of the point are not known either.
std::vector<model::Point> points_of_placements(const std::vector<model::Placed>& placed);

}  // namespace gable::cli
