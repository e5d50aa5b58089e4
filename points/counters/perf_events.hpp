#pragma once

// Counters of the kernel (perf_event_open) for programs that this thread starts, or for itself.

#include <linux/perf_event.h>

#include <vector>

namespace gable::points {

/// One counter's reading.
struct PerfReading {
  double count = 0;          ///< extrapolated if the counter was multiplexed
  double share_counted = 1;  ///< the fraction of the time in which it counted
};

/// Counters that are open as long as the object lives. Throws std::system_error with the kernel's error code
/// if the kernel refuses one.
class PerfEvents {
 public:
  /// What is counted: programs that this thread starts from now on, each from its exec on, with their
  /// descendants; or this thread between `start` and `read`.
  enum class Whom { started_programs, this_thread };

  PerfEvents(const std::vector<perf_event_attr>& events, Whom whom);
  ~PerfEvents();
  PerfEvents(const PerfEvents&) = delete;
  PerfEvents& operator=(const PerfEvents&) = delete;

  void start();
  /// The readings in the order of the events. The counted programs must have ended.
  std::vector<PerfReading> read() const;

 private:
  void close_all();

  std::vector<int> files_;
};

}  // namespace gable::points
