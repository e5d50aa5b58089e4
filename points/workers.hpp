#pragma once

// How many threads of a program worked at once, and on how many cores.

#include <map>
#include <utility>
#include <vector>

#include "machines/machine.hpp"
#include "points/processes.hpp"

namespace gable::points {

struct AtOnce {
  int threads = 0;  ///< 0: none was seen
  int cores = 0;    ///< that these threads could use at once; 0: not known
};

/// A number for the core of each hardware thread.
std::map<unsigned, int> cores_by_cpu(const std::vector<machines::Cluster>& clusters);

/// The most threads that can run at once if each may use these cores, one thread on each core.
int most_on_cores(const std::vector<std::vector<int>>& cores_of_threads);

/// Counts workers from looks at the threads' CPU times. A thread is at work while it runs or waits for a CPU.
/// Between two looks threads worked at once if their times at work add up to more than the time that passed:
/// each one's with that of the busiest, or those of all threads to more than so many times it. A number of
/// threads counts if 15 % of the work or more was done while so many worked at once: not the small programs
/// that a script starts, nor a shell that waits for its program, nor a thread that collects garbage now and
/// then. More threads at once did less than 15 % of the work, so roofs of the number hold for nearly all of
/// it.
class Workers {
 public:
  /// `cores`: the core of each hardware thread; empty: not known.
  explicit Workers(std::map<unsigned, int> cores = {}) : cores_(std::move(cores)) {}

  /// All threads of the program at `now` (monotonic_seconds()); looks ascend in time.
  void look(const std::vector<ThreadTimes>& threads, double now);

  AtOnce most() const;

 private:
  struct Part {
    double work = 0;  // share of the time between two looks
    const ThreadTimes* thread = nullptr;
  };
  using Seconds = std::map<int, std::map<int, double>>;  // by threads at once, by their cores

  std::vector<Part> parts(const std::vector<ThreadTimes>& threads) const;
  void add(const std::vector<ThreadTimes>& threads, double now, Seconds& seconds) const;
  int cores_of(const std::vector<Part>& parts, std::size_t count) const;

  std::map<unsigned, int> cores_;
  std::map<int, ThreadTimes> before_;  ///< by tid, at the last look that counts
  double begin_ = 0;                   ///< time of that look
  std::vector<ThreadTimes> last_;      ///< at the last look that saw any
  double last_time_ = 0;
  Seconds seconds_;
};

}  // namespace gable::points
