#pragma once

// The measured loops: two threads that exchange lines, and many that contend for one.

#include <atomic>
#include <vector>

#include "bench/c2c/lines.hpp"
#include "bench/threads/burst.hpp"
#include "bench/threads/team.hpp"
#include "model/domain/c2c.hpp"

namespace gable::bench {

struct Exchange {
  model::C2cMeasure measure = model::C2cMeasure::handoff;
  std::vector<unsigned> cpus;
  double seconds = 0;
  bool emulated = false;  ///< waiting threads give their turn to others
  bool own_cores = true;  ///< no two of them share a core: probes tell whether another one does
};

/// What one thread saw. Of a pair only one timeline has ticks: of a locked increment that of the first
/// thread, of lines that are read that of the reader, where only the time of its loads passes. Its work is
/// hand-offs one way, lines, increments or acquisitions.
struct ExchangeTrace {
  Trace trace;
  double adds_per_cycle = 0;  ///< the least of the probes before and after; 0: not probed
};

/// Runs it until the time is over, or until `stop`. The traces are in the order of the CPUs. Throws
/// Error::unavailable, and Error::failed if increments were lost, which the CPU never does.
std::vector<ExchangeTrace> run_exchange(Team& team, const Exchange& exchange, C2cLines& lines,
                                        const std::atomic<bool>& stop);

}  // namespace gable::bench
