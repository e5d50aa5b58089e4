// The page-walk ladder of environments with known TLBs.

#include <gtest/gtest.h>

#include <cmath>

#include "model/virt/random.hpp"
#include "model/virt/summary.hpp"
#include "model/virt/walks.hpp"

namespace {

using gable::model::fit_walks;
using gable::model::Note;
using gable::model::NoteCode;
using gable::model::Random;
using gable::model::WalkFit;
using gable::model::WalkPoint;

struct Tlb {
  double reach, cost;
};

std::vector<WalkPoint> ladder(const std::vector<Tlb>& levels, double shape, double error,
                              std::uint64_t seed) {
  Random random(seed);
  std::vector<WalkPoint> points;
  for (double octave = 18; octave <= 30; octave += 0.5) {
    const double bytes = std::exp2(octave);
    double ns = 0.4;
    for (const Tlb& level : levels) {
      if (bytes > level.reach) ns += level.cost * (1 - std::pow(level.reach / bytes, shape));
    }
    points.push_back({bytes, ns + error * random.normal(), error});
  }
  return points;
}

bool holds(const gable::model::Estimate& estimate, double truth) {
  return estimate.lo <= truth && truth <= estimate.hi;
}

TEST(VirtWalks, RecoversTheReachAndCostOfTwoLevels) {
  int held = 0, expected = 0;
  for (const double shape : {1.0, 4.0}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const WalkFit fit = fit_walks(ladder({{0x1p19, 3.5}, {0x1p23, 21}}, shape, 0.15, seed));
      ASSERT_TRUE(fit.unknown.empty()) << sentence(fit.unknown);
      ASSERT_GE(fit.levels.size(), 2u);
      EXPECT_NEAR(fit.beyond.value, 24.5, 1.5);
      expected += 1;
      held += holds(fit.beyond, 24.5) ? 1 : 0;
      if (fit.levels.size() != 2) continue;
      EXPECT_NEAR(std::log2(fit.levels[1].reach.value), 23, 0.4);
      EXPECT_NEAR(std::log2(fit.levels[0].reach.value), 19, 0.8);
      expected += 4;
      held += holds(fit.levels[0].reach, 0x1p19) + holds(fit.levels[0].cost, 3.5) +
              holds(fit.levels[1].reach, 0x1p23) + holds(fit.levels[1].cost, 21);
    }
  }
  EXPECT_GE(expected, 40);  // nearly always the right number of levels
  EXPECT_GE(held, 0.85 * expected) << held << " of " << expected;
}

// Small working sets have tiny errors, but share sets of the caches by chance; large ones are noisy.
TEST(VirtWalks, WhatCachesDoToSmallWorkingSetsHidesNoLevel) {
  const double aliased[] = {0, 1.9, 1.9, 1.84, -0.8, 0.1, 2.2, 2.2, 2.1};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    std::vector<WalkPoint> points = ladder({{12.0 * (1 << 20), 60}}, 1, 0.005, seed);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i < std::size(aliased)) points[i].ns += aliased[i];
      if (points[i].bytes < 0x1p23) continue;
      points[i].error = 0.1 * points[i].ns + 0.5;
      points[i].ns += points[i].error * random.normal();
    }
    const WalkFit fit = fit_walks(points);
    ASSERT_FALSE(fit.levels.empty()) << sentence(fit.unknown);
    EXPECT_NEAR(fit.at(0x1p22), 2, 6) << seed;
    EXPECT_NEAR(fit.at(0x1p26), 0.4 + 60 * (1 - 12.0 / 64), 12) << seed;
    EXPECT_NEAR(fit.at(0x1p30), 0.4 + 60 * (1 - 12.0 / 1024), 15) << seed;
  }
}

// A step after the smallest working set is the cost of the first level, not a part of a larger cost of a
// level that reaches less.
TEST(VirtWalks, NoLevelReachesLessThanTheSmallestWorkingSet) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    std::vector<WalkPoint> points = ladder({{0x1p23, 30}, {0x1p26, 160}}, 4, 0.02, seed);
    for (std::size_t i = 1; i < points.size(); ++i) points[i].ns += 2;
    const WalkFit fit = fit_walks(points);
    ASSERT_EQ(fit.levels.size(), 3u);
    EXPECT_GE(fit.levels.front().reach.lo, points.front().bytes);
    EXPECT_NEAR(fit.levels.front().cost.value, 2, 0.3);
    EXPECT_NEAR(fit.beyond.value, 192, 6);
  }
}

TEST(VirtWalks, ALongerWalkIsADearerOne) {
  const WalkFit native = fit_walks(ladder({{0x1p19, 3.5}, {0x1p23, 20}, {0x1p27, 30}}, 2, 0.1, 3));
  const WalkFit nested = fit_walks(ladder({{0x1p19, 3.5}, {0x1p23, 44}, {0x1p27, 90}}, 2, 0.1, 4));
  EXPECT_NEAR(native.beyond.value, 53.5, 3);
  EXPECT_NEAR(nested.beyond.value, 137.5, 5);
  EXPECT_GT(nested.beyond.lo, native.beyond.hi);
}

TEST(VirtWalks, SaysThatNothingIsThere) {
  EXPECT_EQ(fit_walks({{1e6, 1, 0.1}}).unknown, Note(NoteCode::few_working_sets, {6.0, 1.0}));
  const WalkFit flat = fit_walks(ladder({}, 1, 0.1, 5));
  EXPECT_LT(flat.beyond.value, 0.3);
}

gable::model::VirtSample walk_sample(const char* what, gable::model::VirtPages pages, std::uint64_t bytes,
                                     double ns) {
  gable::model::VirtSample sample;
  sample.spec = {gable::model::VirtKind::walk, what, pages, -1, bytes};
  sample.seconds.assign(5, 1e-9 * ns * 1e6);
  sample.work.assign(5, 1e6);
  return sample;
}

// Packed accesses in huge pages are taken off those of the same working set.
TEST(VirtWalks, PointsAreTheCostsBeyondPackedAccesses) {
  std::vector<gable::model::VirtSample> samples;
  for (const std::uint64_t mib : {4u, 2u, 1u}) {
    const double size = static_cast<double>(mib);
    samples.push_back(walk_sample("packed", gable::model::VirtPages::small, mib << 20, 90));
    samples.push_back(walk_sample("packed", gable::model::VirtPages::transparent, mib << 20, 1 + size));
    samples.push_back(walk_sample("latency", gable::model::VirtPages::small, mib << 20, 10 + 3 * size));
    samples.push_back(walk_sample("latency", gable::model::VirtPages::transparent, mib << 20, 5 + size));
  }
  const gable::model::VirtSummary summary = gable::model::virt_summary(samples);
  const gable::model::WalkLadder* const small = summary.ladder(gable::model::VirtPages::small);
  ASSERT_TRUE(small != nullptr && summary.ladder(gable::model::VirtPages::transparent) != nullptr &&
              summary.ladder(gable::model::VirtPages::huge) == nullptr);
  EXPECT_EQ(small->packed_pages, gable::model::VirtPages::transparent);
  for (const auto* ladder : {small, summary.ladder(gable::model::VirtPages::transparent)}) {
    ASSERT_EQ(ladder->points.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      const double size = static_cast<double>(1 << i);
      EXPECT_EQ(ladder->points[i].bytes, size * (1 << 20));
      EXPECT_NEAR(ladder->points[i].ns, ladder == small ? 9 + 2 * size : 4, 1e-9);
    }
  }
}

// Three visits of each working set, on a machine whose L2 is this one's alone and whose L3 other guests use,
// so that visits differ by half.
std::vector<gable::model::VirtSample> visits_beside_others(const std::vector<Tlb>& levels, Random& random) {
  std::vector<gable::model::VirtSample> samples;
  for (double octave = 18; octave <= 29; octave += 0.5) {
    const double bytes = std::exp2(octave), drift = octave < 22.5 ? 0.03 : 0.3;
    const double packed = octave < 20   ? 1.5
                          : octave < 23 ? 4
                                        : 4 * std::exp2(std::min(1.5 * (octave - 23), 5.5));
    double spread = packed;
    for (const Tlb& level : levels)
      spread += bytes > level.reach ? level.cost * (1 - level.reach / bytes) : 0;
    for (int round = 0; round < 3; ++round) {
      for (const auto& [what, ns] : {std::pair{"latency", spread}, std::pair{"packed", packed}}) {
        samples.push_back(walk_sample(what, gable::model::VirtPages::small, static_cast<std::uint64_t>(bytes),
                                      ns * std::exp(drift * random.normal())));
        samples.back().round = round;
      }
    }
  }
  return samples;
}

// The interval of three visits reaches further than 1.96 standard errors. A level must not be lost in it.
TEST(VirtWalks, VisitsThatDifferShowALevel) {
  constexpr int machines = 60;
  int lost = 0;
  for (int seed = 1; seed <= machines; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto summary =
        gable::model::virt_summary(visits_beside_others({{0x1p18, 2}, {0x1p22, 18}}, random));
    const WalkFit& fit = summary.ladder(gable::model::VirtPages::small)->fit;
    lost += fit.at(0x1p24) - fit.at(0x1p22) < 6 ? 1 : 0;  // of 13.5 ns
  }
  EXPECT_LE(lost, machines / 10);
}

}  // namespace
