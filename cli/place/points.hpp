#pragma once

// Placed runs as points on the Locality-Aware Roofline chart.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

/// Of each workload, graph and cluster among the records: the variant and the threads that reached the most
/// edges per second, in every placement, as "pagerank kron:20, 16 ranks, DP". Flops and bytes are those that
/// the algorithm asks for (counter "algorithm"); records without flops, such as a search's, make no point.
/// What lies in another tier as a whole comes from what lies in the first one as a whole, so that an arrow
/// shows what moving all costs; arrows to the placements between them would lie on the same line.
/// Where the nodes of a part are not known, as of a file on DAX, those of the point are not known either.
std::vector<model::Point> points_of_placements(const std::vector<model::Placed>& placed);

}  // namespace gable::cli
