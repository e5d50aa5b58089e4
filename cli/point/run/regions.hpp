#pragma once

// The marked regions of a program as points.

#include <optional>
#include <vector>

#include "model/records/records.hpp"
#include "points/counters/counts.hpp"
#include "points/counters/marker.hpp"

namespace gable::cli {

/// One point, named "NAME: REGION", for each region that does any work; standard error names the others.
/// `runs`: the regions of each timed run, at least one. Without counts the work is what the program states.
/// `stolen`: the CPUs that the hypervisor took away meanwhile, on average; the program may have wanted them.
/// Throws Error::failed if no region does any work, or one was not counted.
std::vector<model::Point> region_points(const model::Point& program,
                                        const std::vector<std::vector<points::MarkedRegion>>& runs,
                                        const std::optional<points::Counts>& counts, double stolen);

}  // namespace gable::cli
