#include "kmaf/live/policies/standing.hpp"

#include <algorithm>
#include <random>

#include "base/lists.hpp"

namespace gable::kmaf::live {

Bound::Bound(std::vector<unsigned> order, Binder& binder, pid_t program, double now)
    : order_(std::move(order)), binder_(binder) {
  first_pu_[program] = next_pu();
  alone_.begin(program, now);
}

void Bound::bind_first(pid_t process) {
  binder_.bind(process, process, first_pu_[process]);
  first_pu_.erase(process);
}

void Bound::follow(const Event& event) {
  switch (event.kind) {
    case Event::Kind::started:
      binder_.started(event);
      if (event.tid == event.pid) {
        first_pu_[event.pid] = next_pu();
        alone_.begin(event.pid, event.seconds);
      } else {
        if (alone_.take(event.pid)) bind_first(event.pid);
        binder_.bind(event.pid, event.tid, next_pu());
      }
      break;
    case Event::Kind::ended:
      binder_.ended(event);
      if (alone_.take(event.tid)) first_pu_.erase(event.tid);
      break;
    case Event::Kind::replaced:
      if (alone_.contains(event.pid)) alone_.begin(event.pid, event.seconds);
      break;
    case Event::Kind::access:
      break;
  }
}

void Bound::take(const Events& events, double now) {
  const double start = thread_seconds();
  for (const Event& event : events) follow(event);
  for (const pid_t process : alone_.settled(now)) {
    if (binder_.waits(process)) {
      alone_.begin(process, now);
    } else {
      bind_first(process);
    }
  }
  spent_.tables += start - accounted_;
  accounted_ = thread_seconds();
  spent_.moving += accounted_ - start;
}

void Bound::finish(Report& report) {
  report.spent = spent_;
}

std::vector<unsigned> compact_order(const Hierarchy& hierarchy) {
  return each_of(hierarchy.leaves, &Leaf::pu);
}

std::vector<unsigned> random_order(const Hierarchy& hierarchy, std::uint64_t seed) {
  std::vector<unsigned> order = compact_order(hierarchy);
  std::mt19937_64 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

}  // namespace gable::kmaf::live
