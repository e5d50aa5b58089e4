// The page-walk ladder of environments with known TLBs.

#include <gtest/gtest.h>

#include <cmath>

#include "model/virt/random.hpp"
#include "model/virt/walks.hpp"

namespace {

using gable::model::fit_walks;
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
  int held = 0, asked = 0;
  for (const double shape : {1.0, 4.0}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const WalkFit fit = fit_walks(ladder({{0x1p19, 3.5}, {0x1p23, 21}}, shape, 0.15, seed));
      ASSERT_TRUE(fit.unknown.empty()) << fit.unknown;
      ASSERT_GE(fit.levels.size(), 2u);
      EXPECT_NEAR(fit.beyond.value, 24.5, 1.5);
      asked += 1;
      held += holds(fit.beyond, 24.5) ? 1 : 0;
      if (fit.levels.size() != 2) continue;
      EXPECT_NEAR(std::log2(fit.levels[1].reach.value), 23, 0.4);
      EXPECT_NEAR(std::log2(fit.levels[0].reach.value), 19, 0.8);
      asked += 4;
      held += holds(fit.levels[0].reach, 0x1p19) + holds(fit.levels[0].cost, 3.5) +
              holds(fit.levels[1].reach, 0x1p23) + holds(fit.levels[1].cost, 21);
    }
  }
  EXPECT_GE(asked, 40);  // nearly always the right number of levels
  EXPECT_GE(held, 0.85 * asked) << held << " of " << asked;
}

TEST(VirtWalks, ALongerWalkIsADearerOne) {
  const WalkFit native = fit_walks(ladder({{0x1p19, 3.5}, {0x1p23, 20}, {0x1p27, 30}}, 2, 0.1, 3));
  const WalkFit nested = fit_walks(ladder({{0x1p19, 3.5}, {0x1p23, 44}, {0x1p27, 90}}, 2, 0.1, 4));
  EXPECT_NEAR(native.beyond.value, 53.5, 3);
  EXPECT_NEAR(nested.beyond.value, 137.5, 5);
  EXPECT_GT(nested.beyond.lo, native.beyond.hi);
}

TEST(VirtWalks, SaysThatNothingIsThere) {
  EXPECT_NE(fit_walks({{1e6, 1, 0.1}}).unknown.find("takes 6 working sets"), std::string::npos);
  const WalkFit flat = fit_walks(ladder({}, 1, 0.1, 5));
  EXPECT_LT(flat.beyond.value, 0.3);
}

}  // namespace
