// Differences between placements are neither missed nor invented: their intervals hold the truth.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/tiers/advice.hpp"
#include "tests/draws.hpp"
#include "tests/model/placed_records.hpp"

namespace gable::model {
namespace {

using namespace invented;

// Records whose runs vary by 5 %: of each variant the four placements; moving the graph takes `slower`
// longer.
std::vector<Placed> drawn(int variants, int runs, double slower, std::mt19937& engine) {
  std::lognormal_distribution<> noise(0, 0.05);
  std::vector<Placed> all;
  for (int variant = 0; variant < variants; ++variant) {
    for (Placed placed : four_placements(1, 1, 1 + slower, 1 + slower)) {
      placed.variant = std::to_string(variant);
      const double typical = placed.parts[0].tier == "NVM" ? 1 + slower : 1;
      placed.seconds.clear();
      for (int run = 0; run < runs; ++run) placed.seconds.push_back(typical * noise(engine));
      placed.traversed.assign(placed.seconds.size(), 1e9);
      all.push_back(std::move(placed));
    }
  }
  return all;
}

// Whatever the number of runs and of variants, a table of equal placements has a false sentence in at most 5
// % of all cases; of 3 runs that agree by chance in a little more.
TEST(Advice, EqualPlacementsShowADifferenceInFewTables) {
  std::mt19937 engine(31);
  const int tables = gable::tests::draws(150, 1000);
  for (const int runs : {3, 10}) {
    for (const int variants : {1, 7}) {
      int wrong = 0;
      for (int i = 0; i < tables; ++i) {
        const std::vector<PartMove> found = moves(drawn(variants, runs, 0, engine));
        wrong += std::ranges::any_of(
            found, [](const PartMove& move) { return move.slowdown_lo > 0 || move.slowdown_hi < 0; });
      }
      EXPECT_LE(wrong, tables * 6 / 100) << runs << " runs, " << variants << " variants";
    }
  }
}

TEST(Advice, ARealDifferenceIsFound) {
  std::mt19937 engine(32);
  int found = 0;
  constexpr int tables = 100;
  for (int i = 0; i < tables; ++i) {
    for (const PartMove& move : moves(drawn(7, 10, 0.2, engine))) {
      if (move.part == "graph") found += move.slowdown_lo > 0;
    }
  }
  EXPECT_GE(found, 7 * tables * 95 / 100);
}

// The intervals of a table hold together in 95 % of all cases.
TEST(Advice, IntervalsOfMovesHoldTheTruth) {
  std::mt19937 engine(5);
  std::lognormal_distribution<> noise(0, 0.05);
  int held = 0;
  constexpr int tries = 2000;
  for (int i = 0; i < tries; ++i) {
    auto all = four_placements(1, 3, 1.25, 3.5);
    for (Placed& placed : all) {
      const double typical = placed.seconds[4] / 2 + placed.seconds[5] / 2;
      for (double& seconds : placed.seconds) seconds = typical * noise(engine);
    }
    const std::vector<PartMove> found = moves(all);
    const auto holds = [](const PartMove& move, double truth) {
      return move.slowdown_lo <= truth && truth <= move.slowdown_hi;
    };
    held += holds(found[0], 2) && holds(found[1], 0.25);
  }
  EXPECT_GE(held, tries * 93 / 100);
  EXPECT_LE(held, tries * 97 / 100);
}

}  // namespace
}  // namespace gable::model
