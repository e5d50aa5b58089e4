#pragma once

// Runs the threads of a trace at once and equally fast: one instruction takes one unit of time, waking up
// none.

#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "kmaf/replay/trace/thread_streams.hpp"
#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

/// A wait, a wake, the start or the end of a thread. Others are known by their position in a vector.
struct Moment {
  std::uint32_t until = 0;     ///< of a wait: the moment after which the thread goes on; 0: none
  std::uint32_t arrivals = 0;  ///< of a wake that ends a barrier: how many threads have yet to arrive
  bool is_counted = false;     ///< of a wait: it is for that
  bool is_needed = false;      ///< of a wake: a wait is `until` it
  double clock = -1;           ///< when it was; negative: it has not happened
};

/// A thread of a trace, and the moment after which it starts; 0: at once.
struct ThreadStart {
  std::uint32_t tid = 0, moment = 0;
};

/// The thread with the earliest time is the next to run, until it is 1000 instructions ahead of another;
/// waits, wakes and locks are in order of time. A thread that waits goes on after the moment that ends its
/// wait, and not earlier in time. The last to arrive at a barrier wakes the others, whoever it was in the
/// trace. Only one thread at a time has a lock. Threads with the same time, and those that ask for the same
/// lock, go by lot, so that neighbours are not favoured. Where all threads wait, for example for a lock whose
/// release is not in the trace, the one with the earliest time goes on.
class ParallelRun {
 public:
  using Sink = std::function<void(const Access&)>;
  /// The `moment` of each item of the streams, and of each thread, is one of `moments`, or 0. Another value
  /// of `lots` gives other lots.
  ParallelRun(ThreadStreams& streams, std::vector<Moment> moments, const std::vector<ThreadStart>& starts,
              std::uint64_t lots, const Sink& sink);
  void run();

 private:
  static constexpr double most_lead = 1000;  // instructions
  struct Thread {
    std::uint32_t tid = 0, until = 0;
    double clock = 0;
    std::uint64_t lot = 0, draws = 0;
    bool is_queued = false;
    std::vector<std::uint64_t> locks;     // that it has
    std::vector<std::uint64_t> given_up;  // locks that it has again when its wait ends
  };
  struct Lock {
    int owner = -1, depth = 0;
    double free_since = 0;
    std::vector<int> asking;
  };
  using Turn = std::tuple<double, bool, std::uint64_t, int>;  // clock, whether an event is next, lot, thread

  bool is_event(const StreamItem& item) const;
  bool may_go(int thread);
  bool is_free(int thread, std::uint64_t lock);
  void try_to_queue(int thread);
  bool must_yield(int thread) const;
  void take_turn(int thread);
  void go(int thread, const StreamItem& item);
  void draw(int thread);
  void appears(int thread);
  void start(int thread, int other, std::uint32_t moment);
  Event go_event(int thread, const StreamItem& item);
  Event arrive(int thread, std::uint32_t barrier);
  void happens(std::uint32_t moment, double clock);
  void release(std::uint32_t moment);
  void lock(int thread, std::uint64_t address);
  void unlock(int thread, std::uint64_t address);
  void free(std::uint64_t address, double clock);
  void free_all(int thread);
  bool force();

  ThreadStreams& streams_;
  std::vector<Moment> moments_;
  std::uint64_t lots_;
  const Sink& sink_;
  std::vector<Thread> threads_;
  std::unordered_map<std::uint64_t, Lock> locks_;
  std::unordered_map<std::uint32_t, std::vector<int>> waiting_;  // threads, by the moment they need
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ready_;
};

}  // namespace gable::kmaf
