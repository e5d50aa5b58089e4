#pragma once

// Programs with barriers and locks, and their traces by a tracer that runs one thread at a time, in an order
// that depends on a seed.

#include <cstdint>
#include <vector>

#include "kmaf/traces/trace.hpp"
#include "random.hpp"

namespace gable::kmaf {

inline constexpr std::uint64_t barrier_object = 1, lock_object = 2;

inline Access event(std::uint32_t thread, Event what, std::uint64_t object) {
  return {object, thread, 0, false, 0, what};
}

/// What each thread does from one barrier to the next: accesses, work, locks; by section, then thread.
using Section = std::vector<std::vector<Access>>;

/// Thread 0 starts the others, with an access for each. Then all run the sections, with a barrier after each.
class Recorder {
 public:
  Recorder(const std::vector<Section>& sections, std::uint64_t seed)
      : sections_(sections), random_(seed), threads_(sections.front().size()) {}

  std::vector<Access> trace() {
    for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
      trace_.push_back({thread * 64, 0, 8, true, 10});
      trace_.push_back(event(thread, Event::work, 0));
    }
    for (section_ = 0; section_ < sections_.size(); ++section_) run_section();
    return std::move(trace_);
  }

 private:
  struct Thread {
    std::size_t next = 0;
    bool waits = false;
  };

  void run_section() {
    for (Thread& thread : threads_) thread = {};
    arrived_ = 0;
    while (arrived_ < threads_.size()) {
      const auto number = static_cast<std::uint32_t>(random_.below(threads_.size()));
      for (std::uint64_t left = 1 + random_.below(50); left > 0 && step(number); --left) continue;
    }
  }

  // False: it waits.
  bool step(std::uint32_t number) {
    Thread& thread = threads_[number];
    if (thread.waits) return false;
    const std::vector<Access>& steps = sections_[section_][number];
    if (thread.next == steps.size()) {
      const bool is_last = ++arrived_ == threads_.size();
      trace_.push_back(event(number, is_last ? Event::wake_all : Event::wait, barrier_object));
      thread.waits = true;
      return false;
    }
    const Access& now = steps[thread.next];
    trace_.push_back(now);
    if (now.event == Event::lock && owner_ >= 0) return wait_for_lock(number);
    ++thread.next;
    if (now.event == Event::lock) owner_ = static_cast<int>(number);
    if (now.event == Event::unlock) unlock(number);
    return true;
  }

  bool wait_for_lock(std::uint32_t number) {
    trace_.push_back(event(number, Event::wait, lock_object));
    threads_[number].waits = true;
    asking_.push_back(number);
    return false;
  }

  void unlock(std::uint32_t number) {
    owner_ = -1;
    if (asking_.empty()) return;
    const std::uint32_t other = asking_.front();
    asking_.erase(asking_.begin());
    trace_.push_back(event(number, Event::wake_one, lock_object));
    threads_[other].waits = false;
    ++threads_[other].next;  // it has the lock now
    owner_ = static_cast<int>(other);
  }

  const std::vector<Section>& sections_;
  test::Random random_;
  std::vector<Thread> threads_;
  std::vector<Access> trace_;
  std::size_t section_ = 0, arrived_ = 0;
  int owner_ = -1;
  std::vector<std::uint32_t> asking_;
};

}  // namespace gable::kmaf
