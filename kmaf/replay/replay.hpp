#pragma once

// A trace replayed on the simulated machine under a policy.
//
// Every thread has its own clock; the clocks meet where the program's threads wait for each other. The traced
// program is assumed to run for `program_seconds`. A trace with synchronization is of a program: its steady
// part is what the program repeats. It is simulated in a few passes, of which each represents twice as many
// repetitions as the one before. Another trace is simulated once, and each of its accesses represents many.
// The cost of management is never multiplied. docs/kmaf/simulated-machine.md lists what this model leaves
// out.

#include <cstdint>

#include "kmaf/replay/machine/memory_system.hpp"
#include "kmaf/replay/policies.hpp"
#include "model/records/point.hpp"

namespace gable::kmaf {

struct Outcome {
  double seconds = 0;                     ///< of the program
  AccessCounts counts;                    ///< of the trace, the mean over the passes
  double link_bytes = 0;                  ///< on all links, of the trace, likewise
  std::vector<model::NodeAccess> access;  ///< bytes of the trace, likewise; by cluster
  double joules = 0;                      ///< of the program
  PolicyCounts policy;
  double cpu_seconds = 0;       ///< of the program's threads, without management
  double overhead_percent = 0;  ///< CPU time of management, relative to `cpu_seconds`
};

/// The number of the program's accesses that one access of the trace's steady part represents, so that the
/// program runs for `options.program_seconds` under an OS that never moves threads.
double scale_of(const PreparedTrace& trace, const SimulatedMachine& machine, const ReplayOptions& options);

/// A trace and its scale.
struct ScaledTrace {
  const PreparedTrace* trace = nullptr;
  double scale = 0;
};

/// One run. Runs with the same seed use the same random numbers, so that policies are compared in pairs. The
/// oracle needs `options.mapping`.
Outcome replay(const PreparedTrace& trace, const SimulatedMachine& machine, const PolicyEntry& policy,
               double scale, std::uint64_t seed, const ReplayOptions& options);

}  // namespace gable::kmaf
