#pragma once

// What the runs of a program become: points of its clusters and marked regions, with their bytes by level.

#include <optional>
#include <string>
#include <vector>

#include "machines/machine.hpp"
#include "model/records/mapped_range.hpp"
#include "model/records/point.hpp"
#include "points/counters/counts.hpp"
#include "points/counters/marker.hpp"
#include "points/residence.hpp"

namespace gable::cli {

/// The points of a program that ran on all clusters (LARM paper, figure 5): for each cluster that did any
/// work one, named "NAME (cluster 0)", with the work of the threads that were seen there most of the time,
/// and with the part of the program's time in which it was at work (points::ActiveShare); a single such
/// cluster has the whole time. Where the threads that were counted cannot be found among those that were
/// seen, it is the program as it was, with a note that says why its work counts as shared evenly.
std::vector<model::Point> points_by_cluster(const model::Point& program, const points::Counts& counts,
                                            const points::Residence& seen,
                                            const std::vector<machines::Cluster>& clusters);

/// One point, named "NAME: REGION", for each region that does any work; standard error names the others.
/// `runs`: the regions of each timed run, at least one. Without counts the work is what the program states.
/// `stolen`: the CPUs that the hypervisor took away meanwhile, on average; the program may have wanted them.
/// Throws Error::failed if no region does any work, or one was not counted.
std::vector<model::Point> region_points(const model::Point& program,
                                        const std::vector<std::vector<points::MarkedRegion>>& runs,
                                        const std::optional<points::Counts>& counts, double stolen);

/// Sets the bytes by level of the Point's region, or of the whole program, for the caches of the folder's
/// machine (of this machine if the folder has none) that its threads use. A cluster gets the share of these
/// bytes that it has of the bytes that instructions access. Also sets the accesses, the bytes by level of the
/// functions that the Point has, and the objects with a hundredth of the bytes of a level or more. `ranges`:
/// where its data lay (points::Residence); if it lay on several nodes and this tells the location of the
/// objects, also sets the accesses to each node. Does nothing without a profile.
void set_levels(model::Point& point, const points::Counts& counts, const std::string& folder,
                const std::vector<model::MappedRange>& ranges);

}  // namespace gable::cli
