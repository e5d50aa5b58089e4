#pragma once

// How many threads of a program worked at once.

#include <map>
#include <vector>

#include "points/processes.hpp"

namespace gable::points {

/// From looks at the threads' CPU times. A thread that ran for less than a fiftieth of the time in
/// which it was seen only waited: a shell for the program that it started, `mpirun` for its processes.
/// Threads that each ran for less than a twentieth of the CPU time of the busiest one do not count either,
/// if all of them together ran for less than a tenth of it: the small programs that a script starts, and
/// the shell where a busy machine leaves the program itself hardly any CPU time.
class Workers {
 public:
  /// All threads of the program at `now` (monotonic_seconds()); looks ascend in time.
  void look(const std::vector<ThreadTimes>& threads, double now);

  /// The most that lived at the same time, without those that only waited unless every one of them did.
  int most() const;

 private:
  struct Life {
    double first = 0, last = 0;             ///< looks that saw it
    double running_first = 0, running = 0;  ///< CPU seconds at these looks

    bool only_waited() const;
  };

  std::vector<Life> all_lives() const;
  std::vector<Life> working_lives() const;

  std::map<int, Life> lives_;  ///< by tid
  std::vector<Life> past_;     ///< of tids that have another life
};

}  // namespace gable::points
