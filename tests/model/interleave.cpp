// Interleaves N:M: only measured mixes are predicted.

#include "model/hybrid/interleave.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/model/grids.hpp"

namespace gable::model {
namespace {

Cell measured_cell(double load_share, double fast_share, double gb_per_s, int n = 20) {
  const double seconds = grid_bytes / 1e9 / gb_per_s;
  return {mix(load_share, fast_share), {seconds, seconds / 1.02, seconds * 1.02, n}};
}

// Loads and stores half of each at 60, loads alone at 100 GB/s with 1:3; less with other weights.
HybridPair pair_measured() {
  HybridPair pair;
  for (const double load_share : {0.0, 0.5, 1.0}) {
    const double best = load_share == 1 ? 100 : load_share == 0 ? 50 : 60;
    pair.cells.push_back(measured_cell(load_share, 0, 0.3 * best));
    pair.cells.push_back(measured_cell(load_share, 0.5, 0.6 * best));
    pair.cells.push_back(measured_cell(load_share, 1, 0.8 * best));
    pair.cells.push_back(measured_cell(load_share, 0.75, 0.1 * best));  // the grid's own, in two phases
    pair.interleaved.push_back({1, 3, measured_cell(load_share, 0.75, best)});
    pair.interleaved.push_back({2, 6, measured_cell(load_share, 0.75, 0.9995 * best)});
    pair.interleaved.push_back({3, 1, measured_cell(load_share, 0.25, 0.4 * best)});
  }
  return pair;
}

TEST(Interleaves, GridCellsWithOneMixAllTheWayCount) {
  std::vector<std::pair<int, int>> weights;
  for (const Interleave& interleave : interleaves_of(pair_measured())) {
    weights.emplace_back(interleave.slow, interleave.fast);
    ASSERT_EQ(interleave.mixes.size(), 3u);
    EXPECT_NEAR(interleave.mixes[0].load_share, 0, 1e-12);
    EXPECT_NEAR(interleave.mixes[1].load_share, 0.5, 1e-12);
    EXPECT_NEAR(interleave.mixes[2].load_share, 1, 1e-12);
  }
  std::ranges::sort(weights);
  EXPECT_EQ(weights, (std::vector<std::pair<int, int>>{{0, 1}, {1, 0}, {1, 1}, {1, 3}, {2, 6}, {3, 1}}));
}

TEST(Interleaves, TheBestMeasuredOnesAreChosen) {
  std::string reason;
  for (const auto& [load_share, gb_per_s] : {std::pair{1.0, 100.0}, {0.5, 60.0}, {0.0, 50.0}}) {
    const auto weights = best_weights(pair_measured(), load_share, reason);
    ASSERT_TRUE(weights && weights->rate);
    EXPECT_EQ(std::pair(weights->slow, weights->fast), std::pair(1, 3)) << "of equal ones the smallest";
    EXPECT_NEAR(weights->rate->gb_per_s, gb_per_s, 1e-9);
    EXPECT_NEAR(*weights->rate->lo, gb_per_s / 1.02, 1e-9)
        << "at a measured ratio the interval is the measurement's";
    EXPECT_NEAR(*weights->rate->hi, gb_per_s * 1.02, 1e-9);
    EXPECT_EQ(weights->rate->below, weights->rate->above);
  }
}

// Half of the way from 60 to 100 GB/s the time of a byte is the mean of both.
TEST(Interleaves, BetweenTwoRatiosTimesAreShared) {
  const HybridPair pair = pair_measured();
  const InterleaveErrors errors = interleave_errors(pair);
  // Every middle one, 60 x, is interpolated from 50 x and 100 x: 2 / (1/50 + 1/100) = 66.7, so the time is 10
  // % too short.
  ASSERT_TRUE(errors.between_percent);
  EXPECT_NEAR(*errors.between_percent, 10, 1e-6);
  EXPECT_EQ(errors.between_cells, 4) << "1:1, 1:3, 2:6 and 3:1, not the memories alone";
  std::string reason;
  const auto weights = best_weights(pair, 0.75, reason);
  ASSERT_TRUE(weights && weights->rate);
  EXPECT_NEAR(weights->rate->gb_per_s, 2 / (1 / 60.0 + 1 / 100.0), 1e-9);
  EXPECT_NEAR(weights->rate->below, 0.5, 1e-12);
  EXPECT_NEAR(weights->rate->above, 1, 1e-12);
  const double half = std::log(*weights->rate->hi / *weights->rate->lo) / 2;
  EXPECT_GT(half, 1.96 * 0.05) << "the error of such mixes is in the interval";
  EXPECT_LT(half, 1.96 * 0.0525);
}

TEST(Interleaves, NothingIsToldOutsideWhatWasMeasured) {
  HybridPair pair = pair_measured();
  std::erase_if(pair.interleaved, [](const InterleavedCell& it) { return it.cell.bytes[Transfer::ss] > 0; });
  const InterleaveErrors errors = interleave_errors(pair);
  for (const Interleave& interleave : interleaves_of(pair)) {
    EXPECT_EQ(rate_of(interleave, 0.9, errors).has_value(), interleave.mixes.size() > 1);
    EXPECT_TRUE(rate_of(interleave, 1, errors));
  }
  for (Cell& cell : pair.cells) cell.seconds.n = 1;
  const auto once = rate_of(interleaves_of(pair).front(), 1, errors);
  EXPECT_TRUE(once && !once->lo) << "what was measured once has no interval";
}

// With only 1:1, weights come from the model, without a bandwidth.
TEST(Interleaves, AGuessHasNoBandwidth) {
  HybridPair pair;
  pair.cells = grid(equation5, {{40.3, 25.1, 83.3, 59.9}}, skylake_theta, 10);
  pair.fit = fit_hybrid(pair.cells);
  std::string reason;
  const auto guess = best_weights(pair, 1, reason);
  ASSERT_TRUE(guess) << reason;
  EXPECT_GT(guess->fast, guess->slow);
  EXPECT_FALSE(guess->rate);
  EXPECT_FALSE(interleave_errors(pair).equation5_percent) << "no interleaved cell shows how good it is";
  EXPECT_FALSE(best_weights(HybridPair{}, 1, reason));
  EXPECT_FALSE(reason.empty());
}

// Nothing overlaps, so data in both memories takes longer than in the fast one.
TEST(Interleaves, WhereOneMemoryIsBestItsOwnBandwidthIsTold) {
  Matrix4 one;
  for (auto& row : one) row.fill(1);
  HybridPair pair;
  pair.cells = grid(equation5, {{1, 1, 83.3, 59.9}}, one, 10);
  pair.fit = fit_hybrid(pair.cells);
  std::string reason;
  for (const auto& [load_share, gb_per_s] : {std::pair{1.0, 83.3}, {0.0, 59.9}}) {
    const auto best = best_weights(pair, load_share, reason);
    ASSERT_TRUE(best && best->rate) << load_share;
    EXPECT_EQ(std::pair(best->slow, best->fast), std::pair(0, 1));
    EXPECT_NEAR(best->rate->gb_per_s, gb_per_s, 1e-9);
    EXPECT_FALSE(best->rate->lo) << "measured once";
  }
  pair.fit.bandwidths[Transfer::lf].gb_per_s = Estimate{83.3, 80, 85, 9};
  EXPECT_EQ(best_weights(pair, 1, reason)->rate->lo, 80);
  EXPECT_FALSE(best_weights(pair, 0.5, reason)->rate) << "a mix has its own bandwidth";
}

}  // namespace
}  // namespace gable::model
