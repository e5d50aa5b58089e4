#pragma once

// Memory-side caches: memory in front of a slower one that holds its recently used data, such as MCDRAM in
// cache mode. If data fits into such a cache, the measured bandwidth is that of the cache.

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// Why all clusters on one node do not measure that node (LARM paper, section 5.1, NA in table 5): the
/// private data of all of them together fits into the memory-side caches of that node and of the
/// participating clusters. Empty if it does not fit, or if the node has no such cache.
model::Note held_by_side_caches(const machines::Machine& machine, const Run& run);

/// Decides how the memory-side caches in front of the run's data affect its figures. If they hold the data,
/// the Cases get the caches' level (machines::memory_side_cache_level) instead of "memory". If the data is at
/// least twice as large, every visit begins with a pass over it. Otherwise, and where caches serve only some
/// of the nodes or of a chase's accesses, the run is skipped. Without such caches nothing changes.
void set_side_caches(const machines::Machine& machine, Run& run);

/// Whether a memory-side cache is in front of a node that the run uses.
bool has_side_cache(const machines::Machine& machine, const Run& run);

/// A run of streams whose data is twice as large as the caches in front of it, made from one that they hold.
Run beyond_side_caches(const machines::Machine& machine, Run run);

/// Adds a note to the run for every memory-side cache of the nodes in `share`, and whether it can hold the
/// working set of `spec`.
void note_side_caches(const machines::Machine& machine, const Share& share, const model::Case& spec,
                      model::Notes& notes);

}  // namespace gable::bench
