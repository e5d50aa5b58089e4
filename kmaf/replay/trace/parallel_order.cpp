#include "kmaf/replay/trace/parallel_order.hpp"

#include <algorithm>
#include <utility>

#include "base/numbers.hpp"

namespace gable::kmaf {

std::uint32_t ParallelOrder::new_moment() {
  moments_.emplace_back();
  return static_cast<std::uint32_t>(moments_.size() - 1);
}

void ParallelOrder::begin_turn(int thread, std::uint32_t tid) {
  const bool is_new = index(thread) == threads_.size();
  if (is_new) threads_.push_back({tid, thread_ < 0 ? 0 : new_moment()});
  if (thread_ >= 0) {
    Access next;
    next.address = static_cast<std::uint64_t>(thread);
    streams_.put(thread_, {next, is_new ? threads_.back().start : 0, true});
  }
  thread_ = thread;
}

// The thread runs again although nobody woke it: it came too late to wait at all, or the kernel woke it when
// another thread ended.
void ParallelOrder::end_wait(int thread) {
  Traced& traced = threads_[index(thread)];
  if (traced.wait == 0) return;
  Object& object = objects_[traced.waits_for];
  std::erase(object.waiting, thread);
  moments_[traced.wait].until = object.woken != 0 ? object.woken : ended_;
  moments_[moments_[traced.wait].until].is_needed = true;
  traced.wait = 0;
}

void ParallelOrder::wake(Object& object, std::uint32_t moment, bool all) {
  const std::size_t count = all ? object.waiting.size() : std::min<std::size_t>(object.waiting.size(), 1);
  std::uint32_t in_barrier = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Traced& other = threads_[index(object.waiting[i])];
    Moment& wait = moments_[std::exchange(other.wait, 0)];
    wait.until = moment;
    wait.is_counted = all && other.in_barrier;
    in_barrier += wait.is_counted ? 1 : 0;
  }
  moments_[moment].is_needed = count > 0;
  if (in_barrier > 0) moments_[moment].arrivals = in_barrier + 1;
  object.waiting.erase(object.waiting.begin(), object.waiting.begin() + static_cast<std::ptrdiff_t>(count));
  object.woken = moment;
}

void ParallelOrder::take(const Access& access) {
  const int thread = numbers_.of(access.tid);
  if (thread != thread_) begin_turn(thread, access.tid);
  end_wait(thread);
  Traced& traced = threads_[index(thread)];
  StreamItem item{access};
  if (access.event != Event::access && access.event != Event::work) {
    has_events_ = true;
    if (traced.wants_lock && access.event == Event::wait) return;  // for a lock
    traced.wants_lock = access.event == Event::lock;
  }
  switch (access.event) {
    case Event::wait:
    case Event::wait_for:
      item.moment = traced.wait = new_moment();
      traced.waits_for = access.address;
      traced.in_barrier = access.event == Event::wait;
      objects_[access.address].waiting.push_back(thread);
      break;
    case Event::wake_one:
    case Event::wake_all:
      item.moment = new_moment();
      wake(objects_[access.address], item.moment, access.event == Event::wake_all);
      break;
    case Event::end:
      item.moment = ended_ = new_moment();
      break;
    default:
      break;
  }
  streams_.put(thread, item);
}

void ParallelOrder::give(const Sink& sink, std::uint64_t lots) {
  streams_.rewind();
  if (threads_.empty()) return;
  if (!has_events_) return give_unchanged(sink);
  std::vector<ThreadStart> starts;
  for (const Traced& traced : threads_) starts.push_back({traced.tid, traced.start});
  ParallelRun(streams_, moments_, starts, lots, sink).run();
}

void ParallelOrder::give_unchanged(const Sink& sink) {
  for (int thread = 0; !streams_.at_end(thread);) {
    StreamItem item = streams_.next(thread);
    streams_.pass(thread);
    if (item.ends_turn) {
      thread = static_cast<int>(item.access.address);
    } else {
      item.access.tid = threads_[index(thread)].tid;
      sink(item.access);
    }
  }
}

}  // namespace gable::kmaf
