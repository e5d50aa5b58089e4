#pragma once

// A run on several clusters as a point for each of them (LARM paper, figure 5).

#include <vector>

#include "machines/machine.hpp"
#include "model/records/records.hpp"
#include "points/counters/counts.hpp"
#include "points/residence.hpp"

namespace gable::cli {

/// The points of a program that ran on all clusters: for each cluster that did any work one, named
/// "NAME (cluster 0)", with the work of the threads that were seen there most of the time, and with the part
/// of the program's time in which it was at work (points::ActiveShare); a single such cluster has the whole
/// time. Where the threads that were counted cannot be found among those that were seen, it is the program as
/// it was, with a note that says why its work counts as shared evenly.
std::vector<model::Point> points_by_cluster(const model::Point& program, const points::Counts& counts,
                                            const points::Residence& seen,
                                            const std::vector<machines::Cluster>& clusters);

}  // namespace gable::cli
