#include "bench/threads/crew.hpp"

#include <sched.h>

#include <algorithm>

#include "bench/threads/relax.hpp"

namespace gable::bench {

namespace {

struct OtherFailed {};

}  // namespace

void Barrier::wait() {
  const std::uint32_t turn = turn_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == crew_.threads()) {
    arrived_.store(0, std::memory_order_relaxed);
    turn_.store(turn + 1, std::memory_order_release);
    return;
  }
  for (std::uint64_t spins = 0; turn_.load(std::memory_order_acquire) == turn; ++spins) {
    if (crew_.has_failed_.load(std::memory_order_relaxed)) throw OtherFailed();
    if (keeps_cpu_ || spins < 10000) {
      relax();
    } else {
      sched_yield();
    }
  }
}

void Crew::run(const std::function<void(std::size_t)>& job) {
  has_failed_ = false;
  team_.run(cpus_, [&](std::size_t thread) {
    try {
      job(thread);
    } catch (const OtherFailed&) {
    } catch (...) {
      has_failed_ = true;
      throw;
    }
  });
}

void Crew::over(std::uint64_t count, std::uint64_t piece,
                const std::function<void(std::uint64_t, std::uint64_t)>& job) {
  Shared pieces;
  run([&](std::size_t) {
    for (std::uint64_t begin = pieces.take(piece); begin < count; begin = pieces.take(piece)) {
      job(begin, std::min(begin + piece, count));
    }
  });
}

}  // namespace gable::bench
