#pragma once

// Memory-side caches: memory that stands before a slower one and keeps what was last used of it, as MCDRAM in
// cache mode. Data that fits in them is measured there and not where it lies.

#include <string>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// Why all clusters on one node do not measure that node (LARM paper, section 5.1, table 5's NA): the private
/// data of all of them together fit in the memory-side caches of that node and of the clusters that run.
/// Empty where they do not, and where the node has no such cache.
std::string held_by_side_caches(const machines::Machine& machine, const Run& run);

/// Adds to the run's notes every memory-side cache of the nodes that `share` uses, and whether it can hold
/// the working set of `asked`.
void note_side_caches(const machines::Machine& machine, const Share& share, const model::Case& asked,
                      std::vector<std::string>& notes);

}  // namespace gable::bench
