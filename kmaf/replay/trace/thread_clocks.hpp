#pragma once

// The clocks of a trace's threads: each advances by itself, and they are synchronized where threads wait for
// each other.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kmaf/replay/trace/prepared_trace.hpp"

namespace gable::kmaf {

// When a lock is held in simulated time. Threads come in the order of the trace, which is not that of their
// clocks: a section finds the first gap that is long enough for it.

class LockSections {
 public:
  /// A thread asks for the lock at `ready` and holds it for `length`. Returns how long it waits.
  double take(double ready, double length) {
    if (length <= 0) return 0;
    double begin = ready;
    auto next = std::lower_bound(held_.begin(), held_.end(), ready,
                                 [](const Section& section, double time) { return section.end <= time; });
    for (; next != held_.end() && next->begin < begin + length; ++next) begin = std::max(begin, next->end);
    next = held_.insert(next, {begin, begin + length});
    // Adjacent sections are one.
    if (next != held_.begin() && (next - 1)->end == next->begin) {
      (next - 1)->end = next->end;
      next = held_.erase(next) - 1;
    }
    if (next + 1 != held_.end() && (next + 1)->begin == next->end) {
      next->end = (next + 1)->end;
      held_.erase(next + 1);
    }
    if (held_.size() > most) held_.erase(held_.begin());
    return begin - ready;
  }

 private:
  static constexpr std::size_t most = 256;  // earlier ones are forgotten: clocks are not that far apart
  struct Section {
    double begin = 0, end = 0;
  };
  std::vector<Section> held_;  // in order, without overlap
};

class ThreadClocks {
 public:
  /// `objects`: how many different ones threads wait for.
  ThreadClocks(int threads, std::uint64_t objects);

  /// All clocks are 0, nobody waits, and threads that have ended may run again: for another pass.
  void restart();

  /// A record of the thread follows. Returns whether it runs again: it starts, or was waiting.
  bool resume(int thread) {
    const bool again = state_[at(thread)] != State::running;
    if (again) go_on(thread);
    last_ = thread;
    return again;
  }
  /// The thread waits, wakes others, asks for a lock, gives it back or ends. A barrier ends for all of its
  /// threads when the last arrives. Two threads do not hold a lock at once: the wait for it is added when it
  /// is given back. Returns whether the thread stops running.
  bool take(const Record& event);

  double of(int thread) const { return clock_[at(thread)]; }
  void set(int thread, double time) { clock_[at(thread)] = time; }
  bool runs(int thread) const { return state_[at(thread)] == State::running; }
  double latest() const { return *std::ranges::max_element(clock_); }
  /// The mean over the running threads; of the latest if none runs.
  double mean() const;

 private:
  enum class State : std::uint8_t { absent, running, waiting, woken };
  struct Object {
    std::vector<int> waiting;  // in the order of their arrival
    double woken = -1;         // when threads were last woken; negative: never
    LockSections sections;     // if it is a lock
  };
  struct Held {
    std::uint32_t object = 0;
    double since = 0;
    int depth = 1;  // how often its thread asked for it
  };

  static std::size_t at(int thread) { return static_cast<std::size_t>(thread); }
  void go_on(int thread);
  void wake(Object& object, int thread, bool all);
  std::vector<Held>::iterator find_held(int thread, std::uint32_t object);
  void lock(int thread, std::uint32_t object);
  void unlock(int thread, std::uint32_t object);

  std::vector<double> clock_;
  std::vector<State> state_;
  std::vector<std::uint32_t> waits_for_;  // object
  std::vector<bool> in_barrier_;          // the wait is for a barrier or a lock
  std::vector<bool> wants_lock_;          // the thread's last event asked for a lock
  std::vector<std::vector<Held>> held_;   // by thread
  std::vector<Object> objects_;
  double ended_ = 0;  // when a thread last ended
  int last_ = 0;      // the thread that ran last
};

}  // namespace gable::kmaf
