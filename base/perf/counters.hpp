#pragma once

// Counters of the kernel (perf_event_open(2)) of what programs do in user mode.

#include <linux/perf_event.h>
#include <sys/types.h>

#include <vector>

#include "base/owned.hpp"

namespace gable {

struct PerfReading {
  double count = 0;          ///< extrapolated if the counter was shared with other users
  double share_counted = 1;  ///< the fraction of the time in which it counted
};

/// Counters that are open as long as the object lives.
class PerfCounters {
 public:
  /// What is counted: a process from its next exec on, with all that it starts (of 0: each program that this
  /// thread starts); or this thread between `start` and `read`.
  enum class Whom { from_exec, this_thread };

  /// Throws std::system_error with the kernel's error code if the kernel refuses one.
  PerfCounters(const std::vector<perf_event_attr>& events, Whom whom, pid_t process = 0);

  void start();
  /// The readings so far, in the order of the events. Throws std::system_error.
  std::vector<PerfReading> read() const;

 private:
  std::vector<Descriptor> counters_;
};

}  // namespace gable
