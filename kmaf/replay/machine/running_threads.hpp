#pragma once

// How fast the threads of the simulated machine run: instructions, misses that overlap, and cores that
// several threads share.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kmaf/replay/machine/simulated_machine.hpp"

namespace gable::kmaf {

class RunningThreads {
 public:
  RunningThreads(int threads, const SimulatedMachine& machine)
      : pipeline_(machine.pipeline),
        ns_(machine.timing.l1_ns / machine.pipeline.instruction),
        threads_(static_cast<std::size_t>(threads)),
        on_core_(static_cast<std::size_t>(machine.cores)) {}

  /// The thread begins or stops to run on a core.
  void start(int thread, int core) {
    of(thread).core = core;
    ++on_core_[static_cast<std::size_t>(core)];
  }
  void stop(int thread) { --on_core_[static_cast<std::size_t>(of(thread).core)]; }

  /// The time after `instructions`, from `now` on.
  double after(int thread, double now, std::uint32_t instructions) {
    Thread& mine = of(thread);
    mine.instructions += instructions;
    return now + instructions * nanoseconds(mine);
  }
  /// The time when the thread can begin an access that misses the L1.
  double free_for_miss(int thread, double now) {
    Thread& mine = of(thread);
    const int others = sharing(mine);
    now = passed(mine, now, pipeline_.window / others);
    const int most = std::clamp(pipeline_.misses / others, 1, most_misses);
    for (; mine.count >= most; pop(mine)) now = std::max(now, mine.misses[mine.first].done);
    return now;
  }
  /// It has begun a miss that ends at `done`.
  void miss(int thread, double done) {
    Thread& mine = of(thread);
    mine.misses[(mine.first + static_cast<unsigned>(mine.count++)) % most_misses] = {done, mine.instructions};
  }
  /// The time when all misses of the thread have ended: it synchronizes.
  double drained(int thread, double now) {
    Thread& mine = of(thread);
    now = passed(mine, now, pipeline_.window / sharing(mine));
    for (; mine.count > 0; pop(mine)) now = std::max(now, mine.misses[mine.first].done);
    return now;
  }
  /// Where the thread runs, or ran last; -1: nowhere yet.
  int core(int thread) const { return threads_[static_cast<std::size_t>(thread)].core; }

 private:
  struct Miss {
    double done = 0;
    std::uint64_t instructions = 0;  // of the thread when it began
  };
  struct Thread {
    int core = -1;
    std::uint64_t instructions = 0;
    unsigned first = 0;  // of the misses that have not ended
    int count = 0;
    std::array<Miss, most_misses> misses;
  };

  Thread& of(int thread) { return threads_[static_cast<std::size_t>(thread)]; }
  static void pop(Thread& thread) {
    thread.first = (thread.first + 1) % most_misses;
    --thread.count;
  }
  int sharing(const Thread& thread) const {
    return std::max(1, on_core_[static_cast<std::size_t>(thread.core)]);
  }
  double nanoseconds(const Thread& thread) const {
    const int threads = sharing(thread);
    return threads == 1 ? ns_ : ns_ * threads / pipeline_.smt;
  }
  // The thread waits for a miss when as many instructions followed it as fit into the reorder buffer.
  double passed(Thread& thread, double now, double window) const {
    for (; thread.count > 0; pop(thread)) {
      const Miss& miss = thread.misses[thread.first];
      const double beyond = static_cast<double>(thread.instructions - miss.instructions) - window;
      if (beyond > 0) {
        now = std::max(now, miss.done + beyond * nanoseconds(thread));
      } else if (miss.done > now) {
        break;
      }
    }
    return now;
  }

  Pipeline pipeline_;
  double ns_;  // an instruction of a thread that has its core for itself
  std::vector<Thread> threads_;
  std::vector<int> on_core_;  // running threads
};

}  // namespace gable::kmaf
