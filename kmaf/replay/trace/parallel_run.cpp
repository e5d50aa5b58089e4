#include "kmaf/replay/trace/parallel_run.hpp"

#include <algorithm>
#include <utility>

#include "base/numbers.hpp"

namespace gable::kmaf {

ParallelRun::ParallelRun(ThreadStreams& streams, std::vector<Moment> moments,
                         const std::vector<ThreadStart>& starts, std::uint64_t lots, const Sink& sink)
    : streams_(streams), moments_(std::move(moments)), lots_(lots), sink_(sink), threads_(starts.size()) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    threads_[i].tid = starts[i].tid;
    threads_[i].until = starts[i].moment;
  }
}

// An item that other threads may notice. A wake that no wait refers to gave back a lock.
bool ParallelRun::is_event(const StreamItem& item) const {
  if (item.access.event == Event::wake_one) return moments_[item.moment].is_needed;
  return item.access.event != Event::access && item.access.event != Event::work;
}

void ParallelRun::run() {
  if (!threads_.empty()) appears(0);
  for (int thread = 0; thread < streams_.threads(); ++thread) try_to_queue(thread);
  do {
    while (!ready_.empty()) {
      const int thread = std::get<int>(ready_.top());
      ready_.pop();
      threads_[index(thread)].is_queued = false;
      take_turn(thread);
    }
  } while (force());
}

// Whether the thread's next item may come now; its clock is then that item's. Otherwise the thread is where
// what it waits for finds it.
bool ParallelRun::may_go(int number) {
  Thread& thread = threads_[index(number)];
  const StreamItem& item = streams_.next(number);
  if (thread.until != 0) {
    if (moments_[thread.until].clock < 0) {
      waiting_[thread.until].push_back(number);
      return false;
    }
    thread.clock = std::max(thread.clock, moments_[std::exchange(thread.until, 0)].clock);
  }
  for (; !thread.given_up.empty(); thread.given_up.pop_back()) {
    if (!is_free(number, thread.given_up.back())) return false;
    lock(number, thread.given_up.back());
  }
  return item.access.event != Event::lock || is_free(number, item.access.address);
}

// Whether the thread can have the lock now. Otherwise it has asked for it.
bool ParallelRun::is_free(int number, std::uint64_t address) {
  Lock& lock = locks_[address];
  if (lock.owner >= 0 && lock.owner != number) {
    lock.asking.push_back(number);
    return false;
  }
  Thread& thread = threads_[index(number)];
  thread.clock = std::max(thread.clock, lock.free_since);
  return true;
}

void ParallelRun::try_to_queue(int number) {
  Thread& thread = threads_[index(number)];
  if (thread.is_queued || streams_.at_end(number) || !may_go(number)) return;
  thread.is_queued = true;
  ready_.emplace(thread.clock, is_event(streams_.next(number)), thread.lot, number);
}

// Whether another thread comes before this one's next item, in the middle of a turn.
bool ParallelRun::must_yield(int number) const {
  if (ready_.empty()) return false;
  const double lead = threads_[index(number)].clock - std::get<double>(ready_.top());
  return is_event(streams_.next(number)) ? lead >= 0 : lead > most_lead;
}

void ParallelRun::take_turn(int thread) {
  for (bool is_first = true; !streams_.at_end(thread); is_first = false) {
    if (!may_go(thread)) return;
    if (!is_first && must_yield(thread)) break;
    const StreamItem item = streams_.next(thread);
    streams_.pass(thread);
    go(thread, item);
    if (item.ends_turn && item.moment != 0) break;  // another thread starts, now
  }
  try_to_queue(thread);
}

void ParallelRun::go(int number, const StreamItem& item) {
  Thread& thread = threads_[index(number)];
  if (item.ends_turn) {
    if (item.moment != 0) start(number, static_cast<int>(item.access.address), item.moment);
    return;
  }
  Access access = item.access;
  access.tid = thread.tid;
  if (is_event(item)) {
    access.event = go_event(number, item);
  } else if (access.event == Event::wake_one) {
    return;
  }
  sink_(access);
  thread.clock += access.event == Event::access ? access.instructions
                  : access.event == Event::work ? static_cast<double>(access.address)
                                                : 0;
}

void ParallelRun::draw(int number) {
  Thread& thread = threads_[index(number)];
  thread.lot = scrambled(scrambled(lots_) ^ ++thread.draws << 16 ^ index(number));
}

// Threads are numbered in the order in which they appear.
void ParallelRun::appears(int thread) {
  sink_({0, threads_[index(thread)].tid, 0, false, 0, Event::work});
}

// The other thread goes first from now on.
void ParallelRun::start(int number, int other, std::uint32_t moment) {
  Thread& thread = threads_[index(number)];
  draw(number);
  appears(other);
  happens(moment, thread.clock);
}

Event ParallelRun::go_event(int number, const StreamItem& item) {
  const Thread& thread = threads_[index(number)];
  switch (item.access.event) {
    case Event::wait_for:
      threads_[index(number)].given_up = threads_[index(number)].locks;  // by pthread_cond_wait
      free_all(number);
      [[fallthrough]];
    case Event::wait:
      if (moments_[item.moment].is_counted) return arrive(number, moments_[item.moment].until);
      threads_[index(number)].until = moments_[item.moment].until;
      break;
    case Event::lock:
      lock(number, item.access.address);
      break;
    case Event::unlock:
      unlock(number, item.access.address);
      break;
    case Event::wake_all:
      if (moments_[item.moment].arrivals > 0) return arrive(number, item.moment);
      happens(item.moment, thread.clock);
      break;
    case Event::end:
      free_all(number);
      happens(item.moment, thread.clock);
      break;
    default:
      happens(item.moment, thread.clock);
      break;
  }
  return item.access.event;
}

// The last to arrive at a barrier wakes the others.
Event ParallelRun::arrive(int number, std::uint32_t barrier) {
  draw(number);
  if (--moments_[barrier].arrivals > 0) {
    threads_[index(number)].until = barrier;
    return Event::wait;
  }
  happens(barrier, threads_[index(number)].clock);
  return Event::wake_all;
}

void ParallelRun::happens(std::uint32_t moment, double clock) {
  moments_[moment].clock = clock;
  release(moment);
}

void ParallelRun::release(std::uint32_t moment) {
  const auto found = waiting_.find(moment);
  if (found == waiting_.end()) return;
  const std::vector<int> released = std::move(found->second);
  waiting_.erase(found);
  for (const int thread : released) try_to_queue(thread);
}

void ParallelRun::lock(int thread, std::uint64_t address) {
  draw(thread);
  Lock& lock = locks_[address];
  if (lock.owner == thread) {
    ++lock.depth;
    return;
  }
  lock.owner = thread;
  lock.depth = 1;
  threads_[index(thread)].locks.push_back(address);
}

// An OpenMP lock may be another thread's.
void ParallelRun::unlock(int number, std::uint64_t address) {
  Lock& lock = locks_[address];
  if (lock.owner < 0 || --lock.depth > 0) return;
  std::erase(threads_[index(lock.owner)].locks, address);
  free(address, threads_[index(number)].clock);
}

void ParallelRun::free(std::uint64_t address, double clock) {
  Lock& lock = locks_[address];
  lock.owner = -1;
  lock.free_since = std::max(lock.free_since, clock);
  const auto next =
      std::ranges::min_element(lock.asking, {}, [&](int thread) { return threads_[index(thread)].lot; });
  if (next == lock.asking.end()) return;
  const int thread = *next;
  lock.asking.erase(next);
  try_to_queue(thread);
}

void ParallelRun::free_all(int number) {
  Thread& thread = threads_[index(number)];
  for (const std::uint64_t address : std::exchange(thread.locks, {})) free(address, thread.clock);
}

// Everybody waits: lets the thread with the earliest time go on. False: all are at their ends.
bool ParallelRun::force() {
  int first = -1;
  for (int thread = 0; thread < streams_.threads(); ++thread) {
    if (streams_.at_end(thread)) continue;
    if (first < 0 || threads_[index(thread)].clock < threads_[index(first)].clock) first = thread;
  }
  if (first < 0) return false;
  const StreamItem& item = streams_.next(first);
  threads_[index(first)].until = 0;
  threads_[index(first)].given_up.clear();
  if (item.access.event == Event::lock) locks_[item.access.address].owner = -1;
  try_to_queue(first);
  return true;
}

}  // namespace gable::kmaf
