#pragma once

// Static policies: a thread is bound once, when it starts or soon after.

#include <map>

#include "base/clocks.hpp"
#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/live/movers/binder.hpp"
#include "kmaf/live/policies/management.hpp"

namespace gable::kmaf::live {

/// Does nothing.
class Undisturbed : public Management {
 public:
  void take(const Events&, double) override {}
  void finish(Report&) override {}
};

/// Binds threads round-robin to the hardware threads of `order` as they start. The only thread of a process
/// is bound when another starts there, or after a tenth of a second: a run-time system queries the number
/// of hardware threads when it starts, and a bound thread would see one.
class Bound : public Management {
 public:
  /// `now`: when the program starts, as in Event.
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

/// The hardware threads in the machine's order, neighbours next to each other.
std::vector<unsigned> compact_order(const Hierarchy& hierarchy);
/// The hardware threads in random order.
std::vector<unsigned> random_order(const Hierarchy& hierarchy, std::uint64_t seed);

}  // namespace gable::kmaf::live
