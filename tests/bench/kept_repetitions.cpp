// Which repetitions of a visit count, and how many additions per cycle cores do when nothing else uses them.

#include "bench/visit/kept_repetitions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/threads/core_probe.hpp"

namespace {

using namespace gable::bench;
using gable::model::Sample;

constexpr double width = 4;

// Two threads, of which the second has a crowded core in the given repetitions.
Repetitions two_threads(std::size_t count, const std::vector<std::size_t>& crowded,
                        const std::vector<std::size_t>& stalled = {}) {
  Repetitions result;
  result.seconds = 5e-4;
  result.work.assign(2, std::vector<double>(count, 100));
  result.adds_per_cycle.assign(2, std::vector<double>(count, width));
  result.disturbed.assign(count, false);
  for (const std::size_t r : crowded) {
    result.adds_per_cycle[1][r] = 2.5;
    result.work[1][r] = 60;
  }
  for (const std::size_t r : stalled) result.disturbed[r] = true;
  return result;
}

TEST(KeptRepetitions, ThoseWithCrowdedCoresAreDropped) {
  KeptRepetitions kept;
  kept.add(two_threads(12, {0, 5, 6}, {6, 11}), {0, 1}, {});
  EXPECT_EQ(kept.rates_alone(width).size(), 8u);
  for (const double rate : kept.rates_alone(width)) EXPECT_DOUBLE_EQ(rate, 200 / 5e-4);
  Sample sample;
  kept.conclude(width, sample);
  EXPECT_EQ(sample.work, std::vector<double>(8, 200));
  EXPECT_EQ(sample.disturbed, 2);
  EXPECT_EQ(sample.crowded, 2);
  EXPECT_EQ(sample.adds_per_cycle, width);
}

TEST(KeptRepetitions, AllAreKeptIfTooFewHadCoresToThemselves) {
  KeptRepetitions kept;
  kept.add(two_threads(12, {0, 1, 2, 3, 4, 5, 6}, {11}), {0, 1}, {});
  Sample sample;
  kept.conclude(width, sample);
  EXPECT_EQ(sample.work.size(), 11u);
  EXPECT_EQ(sample.disturbed, 1);
  EXPECT_EQ(sample.crowded, 0);
  EXPECT_EQ(sample.adds_per_cycle, 2.5);
}

TEST(KeptRepetitions, CoresOfOtherCasesDoNotMatter) {
  KeptRepetitions kept;
  kept.add(two_threads(12, {0, 1, 2, 3, 4, 5, 6}), {0}, {});
  EXPECT_EQ(kept.rates_alone(width).size(), 12u);
}

TEST(KeptRepetitions, WithoutProbesAllAreKept) {
  Repetitions cut_out = two_threads(12, {0, 1, 2, 3, 4, 5, 6});
  for (auto& adds : cut_out.adds_per_cycle) adds.assign(12, 0);
  KeptRepetitions kept;
  kept.add(cut_out, {0, 1}, {});
  Sample sample;
  kept.conclude(0, sample);
  EXPECT_EQ(sample.work.size(), 12u);
  EXPECT_EQ(sample.adds_per_cycle, 0);
}

TEST(CoreWidth, IsWhatCoresDoThatAreNotShared) {
  CoreWidth seen;
  EXPECT_EQ(seen.most(0), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double noise = 0.0005 * (i % 100);
    seen.saw(0, i % 50 == 0 ? width - noise : 2 + 0.001 * (i % 1000));  // crowded for 98 % of the time
    if (i % 100 == 0) seen.saw(0, width + 0.003 * i);                   // interrupted
    seen.saw(1, 6);
    seen.saw(0, 0);
  }
  EXPECT_NEAR(seen.most(0), width, 0.08);
  EXPECT_NEAR(seen.most(1), 6, 0.06);
  EXPECT_EQ(seen.most(2), 0);
}

TEST(CoreWidth, AFewProbesAreEnough) {
  CoreWidth seen;
  seen.saw(0, width);
  EXPECT_NEAR(seen.most(0), width, 0.04);
  seen.saw(0, 9);
  seen.saw(0, width);
  EXPECT_NEAR(seen.most(0), width, 0.04);
}

// A core does at least one addition per cycle, and no core does more than six chains allow.
TEST(CoreProbe, IsPossible) {
  CoreProbe probe;
  std::vector<double> all;
  for (int i = 0; i < 101; ++i) all.push_back(probe.adds_per_cycle());
  std::ranges::nth_element(all, all.begin() + 50);
  EXPECT_GT(all[50], 0.3);
  EXPECT_LT(all[50], 7);
}

}  // namespace
