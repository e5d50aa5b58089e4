#include "kmaf/live/standing.hpp"

#include <algorithm>
#include <random>

namespace gable::kmaf::live {

Bound::Bound(std::vector<unsigned> order, Binder& binder, pid_t program)
    : order_(std::move(order)), binder_(binder) {
  bind(program, program);
}

void Bound::bind(pid_t pid, pid_t tid) {
  binder_.bind(pid, tid, order_[next_++ % order_.size()]);
}

void Bound::take(const Events& events, double) {
  const double start = thread_seconds();
  for (const Event& event : events) {
    if (event.kind == Event::Kind::started) {
      binder_.started(event);
      bind(event.pid, event.tid);
    } else if (event.kind == Event::Kind::ended) {
      binder_.ended(event.tid);
    }
  }
  spent_.moving += thread_seconds() - start;
}

void Bound::finish(Report& report) {
  report.spent = spent_;
}

std::vector<unsigned> compact_order(const Hierarchy& hierarchy) {
  std::vector<unsigned> order;
  for (const Leaf& leaf : hierarchy.leaves) order.push_back(leaf.pu);
  return order;
}

std::vector<unsigned> random_order(const Hierarchy& hierarchy, std::uint64_t seed) {
  std::vector<unsigned> order = compact_order(hierarchy);
  std::mt19937_64 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

}  // namespace gable::kmaf::live
