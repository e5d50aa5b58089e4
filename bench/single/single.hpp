#pragma once

// One operation on one working set: what `gable bench` measures. The plan has a run for each ISA and variant
// that may be the fastest.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// The request. Threads, ISA, page size and SMT are in Options, as for a whole plan.
struct Single {
  std::string op;           ///< one of single_operations()
  std::uint64_t bytes = 0;  ///< working set of all threads together; 0: as gable measure uses for memory
  int cluster = 0;
  int node = -1;       ///< os index; -1: the cluster's first local node
  double seconds = 1;  ///< to measure for
};

/// The operations that can be measured: "load", "copy", ..., "fma_dp", ..., "latency".
std::vector<std::string> single_operations();

/// The plan. `options.pages` has the one page size to use, `options.preset` the rounds and the time of a
/// visit. Throws Error::usage for anything that this machine lacks.
Plan single_plan(const machines::Machine& machine, const machines::Host& host, const Options& options,
                 const Single& single);

/// Visits to all runs together, and the time of each: a preset that takes `seconds`.
Preset preset_of_seconds(double seconds);

}  // namespace gable::bench
