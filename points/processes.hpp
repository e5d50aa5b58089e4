#pragma once

// The processes of a program that this process started, and their threads, as /proc shows them.

#include <optional>
#include <string>
#include <vector>

namespace gable::points {

struct ProgramProcess {
  int pid = 0;
  std::vector<std::string> command;  ///< argv; empty: it ends
  bool is_manager = false;           ///< `gable kmaf run`, which manages the program
};

/// All descendants of this process, but for those that have not executed their program yet.
std::vector<ProgramProcess> program_processes();

/// Its direct children, ended ones that were not waited for included; none if it is gone.
std::vector<int> children_of(int pid);

/// Its argv; empty: it ends or is gone.
std::vector<std::string> command_of(int pid);

/// The ids of its threads, which ascend in order of their start; none if it is gone.
std::vector<int> threads_of(int pid);

/// Seconds by which the kernel may tell CPU time late: CONFIG_HZ=100, and the unit of /proc/PID/stat.
inline constexpr double coarsest_tick = 0.01;

struct ThreadTimes {
  int tid = 0;
  unsigned cpu = 0;  ///< the hardware thread on which it ran last
  /// CPU seconds since its start; the kernel adds those of a running thread at its ticks.
  double running = 0;
  double waiting = 0;  ///< seconds in which it could run and had no CPU; 0 if the kernel does not tell
  double at = 0;       ///< when this was read, by monotonic_seconds()
  std::vector<unsigned> allowed = {};  ///< hardware threads that it may use; empty: not known
};

/// Nothing if the thread is gone.
std::optional<ThreadTimes> thread_times(int pid, int tid);

}  // namespace gable::points
