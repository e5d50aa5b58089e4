#include "kmaf/live/policies/learner.hpp"

namespace gable::kmaf::live {

Learner::Learner(pid_t program, unsigned unit_bytes, unsigned sub_block_bytes)
    : names_(program), learning_(unit_bytes, sub_block_bytes, Learning::Limits()) {}

void Learner::end(pid_t tid) {
  const auto task = names_.task(tid);
  const auto found = task ? numbers_.find(task->instance) : numbers_.end();
  if (found == numbers_.end()) return;
  if (found->second) learning_.ended();
  numbers_.erase(found);
}

void Learner::follow(const Event& event) {
  if (event.kind == Event::Kind::ended) end(event.tid);
  if (event.kind == Event::Kind::replaced) end(event.pid);
  names_.follow(event);
}

std::optional<int> Learner::number_of(pid_t tid) {
  const auto task = names_.task(tid);
  if (!task) return {};
  if (const auto found = numbers_.find(task->instance); found != numbers_.end()) return found->second;
  const auto program = names_.program(task->pid);
  if (!program) return {};
  return numbers_.emplace(task->instance, learning_.add_task(*program, task->number)).first->second;
}

void Learner::sample(const Event& event, const Place& place) {
  if (const auto task = number_of(event.tid)) {
    learning_.sample(*task, place.object, place.offset, event.address);
  } else {
    learning_.leave_out();
  }
}

}  // namespace gable::kmaf::live
