#pragma once

// The loop that records detours, by the cheapest clock of an architecture that counts evenly.

#include <algorithm>
#include <limits>

#include "base/clocks.hpp"
#include "bench/virt/detours.hpp"

namespace gable::bench {

/// Ticks a second, from a pause that is long enough for the purpose.
template <typename Clock>
double ticks_per_second(const Clock& clock_ticks) {
  constexpr double pause = 0.005;
  const double begin = monotonic_seconds();
  const std::uint64_t first = clock_ticks();
  while (monotonic_seconds() < begin + pause) {
  }
  const std::uint64_t last = clock_ticks();
  return static_cast<double>(last - first) / (monotonic_seconds() - begin);
}

/// The shortest pass, of many.
template <typename Clock>
std::uint64_t shortest_pass(const Clock& clock_ticks) {
  constexpr int passes = 20'000;
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max(), before = clock_ticks();
  for (int i = 0; i < passes; ++i) {
    const std::uint64_t now = clock_ticks();
    if (now > before) shortest = std::min(shortest, now - before);
    before = now;
  }
  return shortest;
}

/// Works like record_detours() without a clock: `clock_ticks()` reads it.
template <typename Clock>
DetourRecord record_detours(const Clock& clock_ticks, double seconds, double threshold,
                            const std::atomic<bool>& stop) {
  struct Gap {
    std::uint64_t before, after;  // readings of the clock
  };
  constexpr double least_us = 0.15;
  const double first_rate = ticks_per_second(clock_ticks);
  const std::uint64_t pass = shortest_pass(clock_ticks);
  const auto limit = static_cast<std::uint64_t>(
      std::max(threshold * static_cast<double>(pass), least_us * 1e-6 * first_rate));
  std::vector<Gap> gaps;
  gaps.reserve(most_detours);
  const double begin_seconds = monotonic_seconds();
  const std::uint64_t begin = clock_ticks();
  const auto end = begin + static_cast<std::uint64_t>(seconds * first_rate);
  std::uint64_t before = begin, now = begin, passes = 0;
  while (now < end && gaps.size() < most_detours) {
    now = clock_ticks();
    if (now - before > limit) {
      gaps.push_back({before, now});
      if (stop.load(std::memory_order_relaxed)) break;
      now = clock_ticks();  // what the bookkeeping took is no detour
    }
    before = now;
    ++passes;
  }
  // The rate over the whole record is the most exact one.
  const double rate = static_cast<double>(clock_ticks() - begin) / (monotonic_seconds() - begin_seconds);
  DetourRecord record;
  record.seconds = static_cast<double>(now - begin) / rate;
  record.passes = std::max<std::uint64_t>(1, passes);
  record.pass_ns = static_cast<double>(pass) / rate * 1e9;
  record.threshold_us = static_cast<double>(limit) / rate * 1e6;
  for (const Gap& gap : gaps)
    record.detours.push_back({static_cast<double>(gap.before - begin) / rate * 1e6,
                              static_cast<double>(gap.after - gap.before - pass) / rate * 1e6});
  return record;
}

}  // namespace gable::bench
