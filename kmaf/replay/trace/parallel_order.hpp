#pragma once

// The accesses of a traced program in the order of a machine that runs all of its threads at once and equally
// fast. A tracer runs one thread at a time, and its order depends on whatever else its host did.

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "kmaf/replay/trace/parallel_run.hpp"
#include "kmaf/replay/trace/thread_streams.hpp"
#include "kmaf/traces/metrics.hpp"

namespace gable::kmaf {

class ParallelOrder {
 public:
  using Sink = std::function<void(const Access&)>;

  /// The next access or event of the trace. Throws Error::format if there are too many threads, and
  /// std::system_error if the temporary file cannot be written.
  void take(const Access& access);

  /// Passes on everything that was taken, each thread's accesses and events in their order, as ParallelRun
  /// has it with these lots. Waits for a lock and their wakes are left out. A trace without events of
  /// synchronization keeps its order. Nothing is taken afterwards, but it can be given again.
  void give(const Sink& sink, std::uint64_t lots = 0);
  /// The trace has events of synchronization.
  bool has_events() const { return has_events_; }

 private:
  struct Object {
    std::vector<int> waiting;  // threads, in the order of their arrival
    std::uint32_t woken = 0;   // the last wake
  };
  struct Traced {
    std::uint32_t tid = 0, start = 0;
    std::uint32_t wait = 0;       // the present one
    std::uint64_t waits_for = 0;  // object
    bool in_barrier = false;      // it waits for all
    bool wants_lock = false;      // its last event asked for a lock
  };

  std::uint32_t new_moment();
  void begin_turn(int thread, std::uint32_t tid);
  void end_wait(int thread);
  void wake(Object& object, std::uint32_t moment, bool all);
  void give_unchanged(const Sink& sink);

  ThreadNumbers numbers_;
  ThreadStreams streams_;
  std::vector<Traced> threads_;
  std::unordered_map<std::uint64_t, Object> objects_;
  std::vector<Moment> moments_ = {{}};  // the first is none
  std::uint32_t ended_ = 0;             // the last end of a thread
  int thread_ = -1;                     // that runs
  bool has_events_ = false;
};

}  // namespace gable::kmaf
