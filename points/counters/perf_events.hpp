#pragma once

// Counters of the kernel (perf_event_open) for programs that this thread starts, or for itself.

#include <linux/perf_event.h>

#include <cstdint>
#include <vector>

namespace gable::points {

/// One counter's reading.
struct PerfReading {
  double count = 0;          ///< made up in proportion where the counter had to take turns
  double share_counted = 1;  ///< of the time in which it was to count
};

/// Counters that are open from construction on. Throws std::system_error where the kernel does not give one;
/// its code is the kernel's.
class PerfEvents {
 public:
  /// Whom to count: programs that this thread starts from here on, each from its exec on, with all that they
  /// start; or this thread between `start` and `read`.
  enum class Whom { started_programs, this_thread };

  PerfEvents(const std::vector<perf_event_attr>& events, Whom whom);
  ~PerfEvents();
  PerfEvents(const PerfEvents&) = delete;
  PerfEvents& operator=(const PerfEvents&) = delete;

  void start();
  /// In the order of the events. Programs that are to be counted must have ended.
  std::vector<PerfReading> read() const;

 private:
  void close_all();

  std::vector<int> files_;
};

}  // namespace gable::points
