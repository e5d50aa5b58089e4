#pragma once

// Threads that work together: pinned, started together, with a barrier and shared work between them.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/threads/team.hpp"

namespace gable::bench {

/// Work in pieces, of which each free thread takes the next one.
class Shared {
 public:
  /// No thread may take pieces meanwhile.
  void reset() { next_.store(0, std::memory_order_relaxed); }
  /// The next piece; count up to the number of pieces and stop there.
  std::uint64_t take(std::uint64_t pieces = 1) { return next_.fetch_add(pieces, std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<std::uint64_t> next_{0};
};

/// Work in pieces of which each thread has a range. A thread that is done takes from the other ranges, so
/// threads meet at a counter only towards the end.
class Ranges {
 public:
  explicit Ranges(std::size_t threads) : next_(threads) {}

  /// The thread's own range; no thread may take pieces meanwhile.
  void reset(std::size_t thread) { next_[thread].piece.store(0, std::memory_order_relaxed); }

  /// job(begin, end) for parts of [0, count) of at most `piece`, until all threads together have done all.
  template <typename Job>
  void over(std::size_t thread, std::uint64_t count, std::uint64_t piece, const Job& job) {
    const std::size_t threads = next_.size();
    const std::uint64_t pieces = (count + piece - 1) / piece;
    for (std::size_t k = 0; k < threads; ++k) {
      const std::size_t owner = (thread + k) % threads;
      const std::uint64_t first = pieces * owner / threads, last = pieces * (owner + 1) / threads;
      std::atomic<std::uint64_t>& next = next_[owner].piece;
      while (next.load(std::memory_order_relaxed) < last - first) {
        const std::uint64_t i = first + next.fetch_add(1, std::memory_order_relaxed);
        if (i >= last) break;
        job(i * piece, std::min(count, (i + 1) * piece));
      }
    }
  }

 private:
  struct alignas(64) Next {
    std::atomic<std::uint64_t> piece{0};
  };
  std::vector<Next> next_;
};

class Crew {
 public:
  /// Threads pinned to `cpus`, which must differ.
  Crew(Team& team, std::vector<unsigned> cpus) : team_(team), cpus_(std::move(cpus)) {}

  std::size_t threads() const { return cpus_.size(); }
  const std::vector<unsigned>& cpus() const { return cpus_; }

  /// job(thread) on every thread at the same time; returns when all are done. Throws Error::unavailable, and
  /// what a job threw; the others then leave at their next barrier.
  void run(const std::function<void(std::size_t)>& job);

  /// job(begin, end) over [0, count) in pieces of at most `piece`.
  void over(std::uint64_t count, std::uint64_t piece,
            const std::function<void(std::uint64_t, std::uint64_t)>& job);

 private:
  friend class Barrier;

  Team& team_;
  std::vector<unsigned> cpus_;
  std::atomic<bool> has_failed_{false};  // a job of this run threw
};

/// Lets the threads of a crew wait for each other again and again; spins, because each has a CPU of its own,
/// and unless `keeps_cpu` yields if the wait takes long.
class Barrier {
 public:
  explicit Barrier(const Crew& crew, bool keeps_cpu = false) : crew_(crew), keeps_cpu_(keeps_cpu) {}
  /// Leaves the job, by an exception that only Crew::run knows, if another thread's job threw.
  void wait();

 private:
  const Crew& crew_;
  const bool keeps_cpu_;
  alignas(64) std::atomic<std::size_t> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> turn_{0};  // away from what each thread that arrives writes
};

}  // namespace gable::bench
