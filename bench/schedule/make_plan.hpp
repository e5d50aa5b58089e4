#pragma once

// The plan of a machine: its cells in the order of their visits, what is private to each cluster at once,
// what is alike in spots. Deterministic: the same machine and options give the same plan.

#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// Throws Error::usage if nothing on the machine satisfies `options.only`, if an ISA or page size is
/// unknown, or if `options.memory_set_bytes` is too small for a cluster.
Plan make_plan(const machines::Machine& machine, const machines::Host& host, const Options& options);

/// The plan of these runs: in the order in which they are visited, with room and expected time.
Plan in_order(std::vector<Run> runs);

}  // namespace gable::bench
