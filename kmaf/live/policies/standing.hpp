#pragma once

// Policies that stand still: a thread is bound once, when it begins or soon after.

#include <map>

#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/live/clocks.hpp"
#include "kmaf/live/movers/binder.hpp"
#include "kmaf/live/policies/first_threads.hpp"
#include "kmaf/live/policies/management.hpp"

namespace gable::kmaf::live {

/// Nothing is done.
class Undisturbed : public Management {
 public:
  void take(const Events&, double) override {}
  void finish(Report&) override {}
};

/// Threads are bound to the hardware threads of `order`, one after the other as they begin, and round again.
/// A thread that is alone in its process is bound once another begins there, or after a tenth of a second: a
/// run-time system asks when it begins how many hardware threads there are, and a bound one is told of one.
class Bound : public Management {
 public:
  /// `now`: when the program begins, as in Event.
  Bound(std::vector<unsigned> order, Binder& binder, pid_t program, double now);

  void take(const Events& events, double now) override;
  void finish(Report& report) override;

 private:
  unsigned next_pu() { return order_[next_++ % order_.size()]; }
  void follow(const Event& event);
  void bind_first(pid_t process);

  std::vector<unsigned> order_;
  Binder& binder_;
  std::size_t next_ = 0;
  FirstThreads alone_;
  std::map<pid_t, unsigned> first_pu_;  // of those
  Spent spent_;
  double accounted_ = thread_seconds();
};

/// The hardware threads in the machine's order, neighbours side by side.
std::vector<unsigned> compact_order(const Hierarchy& hierarchy);
/// By lot.
std::vector<unsigned> random_order(const Hierarchy& hierarchy, std::uint64_t seed);

}  // namespace gable::kmaf::live
