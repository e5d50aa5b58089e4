#include "kmaf/live/standing.hpp"

#include <algorithm>
#include <random>

namespace gable::kmaf::live {

namespace {

constexpr double patience = 0.1;  // seconds

}  // namespace

Bound::Bound(std::vector<unsigned> order, Binder& binder, pid_t program, double now)
    : order_(std::move(order)), binder_(binder) {
  alone_[program] = {next_pu(), now};
}

void Bound::bind_first(pid_t process) {
  const auto found = alone_.find(process);
  if (found == alone_.end()) return;
  binder_.bind(process, process, found->second.pu);
  alone_.erase(found);
}

void Bound::follow(const Event& event) {
  switch (event.kind) {
    case Event::Kind::started:
      binder_.started(event);
      if (event.tid == event.pid) {
        alone_[event.pid] = {next_pu(), event.seconds};
      } else {
        bind_first(event.pid);
        binder_.bind(event.pid, event.tid, next_pu());
      }
      break;
    case Event::Kind::ended:
      binder_.ended(event.tid);
      alone_.erase(event.tid);
      break;
    case Event::Kind::replaced:
      if (const auto found = alone_.find(event.pid); found != alone_.end())
        found->second.since = event.seconds;
      break;
    case Event::Kind::access:
      break;
  }
}

void Bound::take(const Events& events, double now) {
  const double start = thread_seconds();
  for (const Event& event : events) follow(event);
  std::vector<pid_t> settled;
  for (const auto& [process, alone] : alone_) {
    if (now - alone.since >= patience) settled.push_back(process);
  }
  for (const pid_t process : settled) bind_first(process);
  spent_.tables += start - accounted_;
  accounted_ = thread_seconds();
  spent_.moving += accounted_ - start;
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
