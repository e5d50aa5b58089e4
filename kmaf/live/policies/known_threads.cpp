#include "kmaf/live/policies/known_threads.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace gable::kmaf::live {

KnownThreads::KnownThreads(const Knowledge& knowledge, const Mapping& leaves, const Hierarchy& hierarchy,
                           Binder& binder, pid_t program, double now, bool binds)
    : knowledge_(knowledge),
      leaves_(leaves),
      hierarchy_(hierarchy),
      binder_(binder),
      binds_(binds),
      begun_(knowledge.tasks.size()),
      load_(hierarchy.leaves.size()) {
  for (std::size_t task = 0; task < knowledge.tasks.size(); ++task) {
    const KnownTask& known = knowledge.tasks[task];
    tasks_[{knowledge.programs[index(known.program)].name, known.number}] = static_cast<int>(task);
  }
  const int leaves_there = static_cast<int>(hierarchy.leaves.size());
  room_ = std::max(1, (knowledge.tasks_at_once + leaves_there - 1) / leaves_there);
  alone_.begin(program, now);
}

std::uint64_t KnownThreads::missed() const {
  return static_cast<std::uint64_t>(std::ranges::count(begun_, false));
}

// The task's own leaf, or the nearest leaf with room. The own leaf can be full if the threads ran one after
// another in the recorded run.
int KnownThreads::leaf_for(int task) const {
  const int wanted = leaves_[index(task)];
  int best = wanted;
  for (int leaf = 0; leaf < static_cast<int>(load_.size()); ++leaf) {
    const bool better = load_[index(best)] >= room_
                            ? load_[index(leaf)] < load_[index(best)]
                            : hierarchy_.distance(wanted, leaf) < hierarchy_.distance(wanted, best);
    if (load_[index(leaf)] < room_ && better) best = leaf;
  }
  return best;
}

void KnownThreads::bind(pid_t tid, Names& names) {
  if (!names.counts()) {
    ++unknown_;
    return;
  }
  const auto name = names.task(tid);
  const auto program = name ? names.program(name->pid) : std::nullopt;
  if (!program) {
    ++gone_;
    return;
  }
  const auto found = tasks_.find({program->name, name->number});
  if (found == tasks_.end() ||
      knowledge_.programs[index(knowledge_.tasks[index(found->second)].program)].image != program->image) {
    ++unknown_;
    return;
  }
  ++recognized_;
  begun_[index(found->second)] = true;
  if (!binds_) return;
  const int leaf = leaf_for(found->second);
  if (!binder_.bind(name->pid, tid, hierarchy_.leaves[index(leaf)].pu)) return;
  leaf_of_[tid] = leaf;
  ++load_[index(leaf)];
}

void KnownThreads::release(pid_t tid) {
  const auto found = leaf_of_.find(tid);
  if (found == leaf_of_.end()) return;
  --load_[index(found->second)];
  leaf_of_.erase(found);
}

void KnownThreads::follow(const Event& event, Names& names) {
  switch (event.kind) {
    case Event::Kind::started:
      binder_.started(event);
      if (event.tid == event.pid) {
        alone_.begin(event.pid, event.seconds);
      } else {
        if (alone_.take(event.pid)) bind(event.pid, names);
        bind(event.tid, names);
      }
      break;
    case Event::Kind::replaced:
      release(event.pid);
      binder_.release(event.pid);
      alone_.begin(event.pid, event.seconds);
      break;
    case Event::Kind::ended:
      binder_.ended(event);
      release(event.tid);
      if (alone_.take(event.tid)) ++gone_;
      break;
    case Event::Kind::access:
      break;
  }
}

void KnownThreads::advance(double now, Names& names) {
  for (const pid_t process : alone_.settled(now)) bind(process, names);
}

}  // namespace gable::kmaf::live
