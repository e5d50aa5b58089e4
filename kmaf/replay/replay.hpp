#pragma once

// A trace replayed on the simulated machine under a policy.
//
// Accesses come in the order of the trace. A window is a run of accesses. Each thread's accesses add up to
// its busy time, and the window takes as long as its busiest hardware thread, link or memory. The traced
// program is assumed to run for `program_seconds`: each access of the trace represents as many accesses of
// the program as this requires, while the cost of management is not scaled. docs/kmaf/replay.md lists what
// this model leaves out.

#include <cstdint>

#include "kmaf/replay/memory_system.hpp"
#include "kmaf/replay/policies.hpp"

namespace gable::kmaf {

struct Outcome {
  double seconds = 0;        ///< of the program
  double trace_seconds = 0;  ///< of the trace: `seconds` without scale
  AccessCounts counts;
  double link_bytes = 0;  ///< on all links, of the trace
  double joules = 0;      ///< of the program
  PolicyCounts policy;
  double overhead_percent = 0;  ///< CPU time of management, relative to all threads' time
};

/// The number of the program's accesses that one access of the trace represents, so that the program runs for
/// `options.program_seconds` under an OS that never moves threads.
double scale_of(const PreparedTrace& trace, const SimulatedMachine& machine, const ReplayOptions& options);

/// One run. Runs with the same seed use the same random numbers, so that policies are compared in pairs.
Outcome replay(const PreparedTrace& trace, const SimulatedMachine& machine, const PolicyEntry& policy,
               double scale, std::uint64_t seed, const ReplayOptions& options);

}  // namespace gable::kmaf
