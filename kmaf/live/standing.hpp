#pragma once

// Policies that stand still: a thread is bound once, when it begins.

#include "kmaf/hierarchy.hpp"
#include "kmaf/live/manager.hpp"

namespace gable::kmaf::live {

/// Nothing is done.
class Undisturbed : public Management {
 public:
  void take(const Events&, double) override {}
  void finish(Report&) override {}
};

/// Threads are bound to the hardware threads of `order`, one after the other as they begin, and round again.
class Bound : public Management {
 public:
  Bound(std::vector<unsigned> order, Binder& binder, pid_t program);

  void take(const Events& events, double now) override;
  void finish(Report& report) override;

 private:
  void bind(pid_t pid, pid_t tid);

  std::vector<unsigned> order_;
  Binder& binder_;
  std::size_t next_ = 0;
  Spent spent_;
};

/// The hardware threads in the machine's order, neighbours side by side.
std::vector<unsigned> compact_order(const Hierarchy& hierarchy);
/// By lot.
std::vector<unsigned> random_order(const Hierarchy& hierarchy, std::uint64_t seed);

}  // namespace gable::kmaf::live
