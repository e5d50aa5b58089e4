// Slices of timelines: their sums, and the detection of stalled threads.

#include "bench/threads/timeline.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using gable::bench::cut;
using gable::bench::Repetitions;
using gable::bench::Timeline;

constexpr std::int64_t ms = 1'000'000;

// A thread that does `rate` iterations per microsecond, with a tick every `step` ns from `begin` on.
Timeline steady(std::int64_t begin, std::int64_t length, std::int64_t step, std::uint64_t rate) {
  Timeline timeline;
  timeline.work_per_iteration = 64;
  for (std::int64_t t = 0; t <= length; t += step) {
    timeline.ticks.push_back({begin + t, static_cast<std::uint64_t>(t) * rate / 1000});
  }
  return timeline;
}

TEST(Timeline, SteadyThreadsGiveEqualRepetitions) {
  const Repetitions r = cut({steady(0, 50 * ms, 50'000, 3), steady(10'000, 50 * ms, 70'000, 5)}, 2 * ms);
  ASSERT_GE(r.disturbed.size(), 24u);
  for (std::size_t s = 0; s < r.disturbed.size(); ++s) {
    EXPECT_FALSE(r.disturbed[s]);
    EXPECT_NEAR(r.work[0][s] / r.seconds, 3e6 * 64, 1e-6 * 3e6 * 64);
    EXPECT_NEAR(r.work[1][s] / r.seconds, 5e6 * 64, 1e-6 * 5e6 * 64);
  }
}

TEST(Timeline, SlicesAddUpToTheOverlap) {
  const Timeline a = steady(0, 30 * ms, 33'333, 7), b = steady(4 * ms, 20 * ms, 41'111, 2);
  const Repetitions r = cut({a, b}, 3 * ms);
  const double total = std::accumulate(r.work[0].begin(), r.work[0].end(), 0.0);
  EXPECT_NEAR(total, r.seconds * static_cast<double>(r.disturbed.size()) * 7e6 * 64, 1e-3 * total);
  EXPECT_LE(r.seconds * static_cast<double>(r.disturbed.size()), 0.0201);
}

TEST(Timeline, ASliceWithAStalledThreadIsDisturbed) {
  Timeline victim = steady(0, 40 * ms, 50'000, 3);
  for (auto& tick : victim.ticks) {
    if (tick.ns > 13 * ms) tick.ns += 2 * ms;  // nothing happens between 13 and 15 ms
  }
  const Repetitions r = cut({victim, steady(0, 42 * ms, 50'000, 3)}, 2 * ms);
  for (std::size_t s = 0; s < r.disturbed.size(); ++s) {
    const double begin = static_cast<double>(s) * r.seconds, end = begin + r.seconds;
    const bool touched = begin < 0.0151 && end > 0.0129;
    const bool away = begin > 0.0152 || end < 0.0128;
    if (touched && !away) {
      EXPECT_TRUE(r.disturbed[s]) << s;
    }
    if (away) {
      EXPECT_FALSE(r.disturbed[s]) << s;
    }
  }
}

// A repetition has the least additions per cycle of the probes around it, of each thread by itself.
TEST(Timeline, ProbesAroundARepetitionCount) {
  Timeline crowded = steady(0, 40 * ms, 500'000, 3), alone = crowded;
  for (auto& tick : alone.ticks) tick.adds_per_cycle = 4;
  for (auto& tick : crowded.ticks) tick.adds_per_cycle = tick.ns >= 10 * ms && tick.ns <= 12 * ms ? 2 : 4;
  const Repetitions r = cut({alone, crowded}, 700'000);
  for (std::size_t s = 0; s < r.disturbed.size(); ++s) {
    EXPECT_EQ(r.adds_per_cycle[0][s], 4);
    const double begin = static_cast<double>(s) * r.seconds, end = begin + r.seconds;
    if (end > 0.01 && begin < 0.012) {
      EXPECT_EQ(r.adds_per_cycle[1][s], 2) << s;
    }
    if (end < 0.0095 || begin > 0.0125) {
      EXPECT_EQ(r.adds_per_cycle[1][s], 4) << s;
    }
  }
}

TEST(Timeline, SlowTicksAreNotAGap) {
  const Repetitions r =
      cut({steady(0, 100 * ms, 1 * ms, 1)}, 5 * ms);  // a slow memory: every tick takes a millisecond
  for (const bool disturbed : r.disturbed) EXPECT_FALSE(disturbed);
}

TEST(Timeline, NoOverlapGivesNothing) {
  EXPECT_TRUE(cut({steady(0, 5 * ms, 50'000, 1), steady(20 * ms, 5 * ms, 50'000, 1)}, ms).disturbed.empty());
  EXPECT_TRUE(cut({steady(0, ms / 2, 50'000, 1)}, ms).disturbed.empty());
  EXPECT_TRUE(cut({}, ms).disturbed.empty());
}

}  // namespace
