#pragma once

// The memory that a run needs, and working sets that the memory nodes have room for.

#include <cstdint>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// The part of a node's memory that a run may use, and of its free memory that a visit may use.
inline constexpr double most_of_memory = 0.7;

/// Bytes of one share, all threads together.
struct MemoryNeed {
  std::uint64_t streams = 0;
  std::uint64_t chase = 0;
};

/// The distance of two threads' slices of a region: `bytes` and the room that their streams need beside them.
std::uint64_t slice_bytes(std::uint64_t bytes, model::Pages pages);

MemoryNeed need_of(const Run& run, std::size_t share);

/// The bytes of a thread with enough pages on each of several nodes; 0 for one node.
std::uint64_t least_on_nodes(const Share& share, model::Pages pages);

/// Sizes a run in memory to its nodes, and to `limit_bytes` for this process (0: none), with a note. Skips it
/// if its working sets would be smaller than least_memory_set or least_on_nodes, and also if it must have its
/// size: in a cache, a step of the ladder, behind a memory-side cache. A size that a user gave stays as it
/// is, or is skipped if there is room for less than half of it. Nodes of unknown size have room for
/// everything.
void fit_to_nodes(const machines::Machine& machine, std::uint64_t limit_bytes, Run& run);

}  // namespace gable::bench
