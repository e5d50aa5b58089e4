#include "kmaf/replay/trace/thread_clocks.hpp"

namespace gable::kmaf {

ThreadClocks::ThreadClocks(int threads, std::uint64_t objects)
    : clock_(at(threads)),
      state_(at(threads), State::absent),
      waits_for_(at(threads)),
      in_barrier_(at(threads)),
      wants_lock_(at(threads)),
      held_(at(threads)),
      objects_(objects) {}

void ThreadClocks::restart() {
  std::ranges::fill(clock_, 0.0);
  // Whoever waits will be woken at the end of a wait that began in the pass before: its next record says so.
  std::ranges::fill(state_, State::woken);
  for (Object& object : objects_) object = {};
  for (auto& held : held_) held.clear();
  std::fill(wants_lock_.begin(), wants_lock_.end(), false);
  ended_ = 0;
}

void ThreadClocks::go_on(int thread) {
  double& clock = clock_[at(thread)];
  switch (state_[at(thread)]) {
    case State::absent:
      clock = clock_[at(last_)];
      break;
    case State::waiting: {
      // Nobody woke it: it came too late to wait at all, or the kernel woke it at the end of a thread.
      Object& object = objects_[waits_for_[at(thread)]];
      std::erase(object.waiting, thread);
      clock = std::max(clock, object.woken >= 0 ? object.woken : ended_);
      break;
    }
    default:
      break;
  }
  state_[at(thread)] = State::running;
  for (Held& held : held_[at(thread)]) held.since = clock;  // it gave them up while it waited
}

bool ThreadClocks::take(const Record& event) {
  const int thread = event.thread;
  // Who waits for a lock depends on the order of the trace; its sections tell the same in simulated time.
  if (wants_lock_[at(thread)] && event.event == Event::wait) return false;
  wants_lock_[at(thread)] = event.event == Event::lock;
  switch (event.event) {
    case Event::lock:
      lock(thread, event.page);
      return false;
    case Event::unlock:
      unlock(thread, event.page);
      return false;
    case Event::wait:
    case Event::wait_for:
      state_[at(thread)] = State::waiting;
      waits_for_[at(thread)] = event.page;
      in_barrier_[at(thread)] = event.event == Event::wait;
      objects_[event.page].waiting.push_back(thread);
      return true;
    case Event::wake_one:
    case Event::wake_all:
      wake(objects_[event.page], thread, event.event == Event::wake_all);
      return false;
    case Event::end:
      ended_ = std::max(ended_, clock_[at(thread)]);
      state_[at(thread)] = State::woken;
      return true;
    default:
      return false;
  }
}

void ThreadClocks::wake(Object& object, int thread, bool all) {
  const std::size_t count = all ? object.waiting.size() : std::min<std::size_t>(object.waiting.size(), 1);
  double time = clock_[at(thread)];
  // The last to arrive in the trace is not the last in simulated time: all leave a barrier at the same time.
  for (std::size_t i = 0; all && i < count; ++i) {
    if (in_barrier_[at(object.waiting[i])]) time = std::max(time, clock_[at(object.waiting[i])]);
  }
  clock_[at(thread)] = object.woken = time;
  for (std::size_t i = 0; i < count; ++i) {
    const int other = object.waiting[i];
    clock_[at(other)] = std::max(clock_[at(other)], time);
    state_[at(other)] = State::woken;
  }
  object.waiting.erase(object.waiting.begin(), object.waiting.begin() + static_cast<std::ptrdiff_t>(count));
}

std::vector<ThreadClocks::Held>::iterator ThreadClocks::find_held(int thread, std::uint32_t object) {
  return std::ranges::find(held_[at(thread)], object, &Held::object);
}

void ThreadClocks::lock(int thread, std::uint32_t object) {
  const auto again = find_held(thread, object);
  if (again == held_[at(thread)].end()) {
    held_[at(thread)].push_back({object, clock_[at(thread)]});
  } else {
    ++again->depth;
  }
}

void ThreadClocks::unlock(int thread, std::uint32_t object) {
  const auto own = find_held(thread, object);
  // It got the lock before this pass, or without asking.
  if (own == held_[at(thread)].end() || --own->depth > 0) return;
  const double wait = objects_[object].sections.take(own->since, clock_[at(thread)] - own->since);
  held_[at(thread)].erase(own);
  clock_[at(thread)] += wait;  // other locks that it holds meanwhile are held for as much longer
}

double ThreadClocks::mean() const {
  double sum = 0;
  int running = 0;
  for (std::size_t thread = 0; thread < clock_.size(); ++thread) {
    if (state_[thread] != State::running) continue;
    sum += clock_[thread];
    ++running;
  }
  return running == 0 ? latest() : sum / running;
}

}  // namespace gable::kmaf
