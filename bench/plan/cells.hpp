#pragma once

// The cells of a plan: every Case for a machine and a preset, not yet in order.

#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// All runs that satisfy the options, grouped by cluster and pattern; capacities and times are not set yet.
std::vector<Run> make_cells(const machines::Machine& machine, const machines::Host& host,
                            const Options& options);

/// The page sizes of the plan, the preferred one first.
std::vector<model::Pages> page_sizes(const Options& options);

}  // namespace gable::bench
