#pragma once

// One burst: pinned threads start together, run their kernels without pause for a given time, and record a
// timeline.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/threads/team.hpp"
#include "bench/threads/timeline.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

/// The work of one thread. `arguments` and `chunk` are kept between bursts.
struct Work {
  unsigned cpu = 0;
  const kernels::Kernel* kernel = nullptr;
  kernels::Arguments arguments;
  double per_iteration = 0;  ///< bytes, flops or accesses of one loop iteration
  int percent = 100;         ///< share of its full speed at which it runs; 0: it waits
  const std::byte* sweep =
      nullptr;  ///< memory to read through, line by line, before the first burst: a chase alone
  std::uint64_t sweep_bytes = 0;  ///< without the sweep many passes would be needed to fill the caches
  std::uint64_t chunk = 0;        ///< iterations between two ticks; 0: not calibrated yet
  double chunk_ns = 0;            ///< duration of a chunk at full speed
};

/// The result of one thread.
struct Trace {
  Timeline timeline;
  double clock_ghz_before = 0;  ///< 0: no clock kernel
  double clock_ghz_after = 0;
  std::vector<unsigned> cpus_seen;  ///< every CPU it was seen on, in order, without consecutive duplicates

  void see_cpu();  ///< adds the CPU on which this thread is
};

/// Runs all of `work` for `seconds`, or until `stop`. The traces are in the same order. CPUs must differ.
/// Throws Error::unavailable.
std::vector<Trace> run_burst(Team& team, std::vector<Work>& work, double seconds,
                             const std::atomic<bool>& stop);

}  // namespace gable::bench
