#include "plots/charts/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace {

using gable::charts::group;
using gable::charts::group_at_most;
using gable::charts::Labelled;
using gable::charts::spread;

double cost(const std::vector<double>& wanted, const std::vector<double>& placed) {
  double sum = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) sum += std::pow(placed[i] - wanted[i], 2);
  return sum;
}

// A different algorithm for the least-squares positions: Dykstra's alternating projections on "gap apart" and
// "inside".
std::vector<double> spread_by_projections(std::vector<double> x, double gap, double lo, double hi) {
  const std::size_t n = x.size();
  std::vector<std::vector<double>> correction(n + 1, std::vector<double>(n, 0));
  for (int round = 0; round < 20000; ++round) {
    for (std::size_t set = 0; set <= n; ++set) {
      std::vector<double> y = x;
      for (std::size_t i = 0; i < n; ++i) y[i] += correction[set][i];
      x = y;
      if (set == n) {
        for (double& value : x) value = std::clamp(value, lo, hi);
      } else if (set + 1 < n && x[set + 1] - x[set] < gap) {
        const double push = (gap - (x[set + 1] - x[set])) / 2;
        x[set] -= push;
        x[set + 1] += push;
      }
      for (std::size_t i = 0; i < n; ++i) correction[set][i] = y[i] - x[i];
    }
  }
  return x;
}

TEST(Spread, NeverOverlapsForOneToFortyRandomRoofs) {
  std::mt19937 random(1);
  for (int count = 1; count <= 40; ++count) {
    for (int trial = 0; trial < 50; ++trial) {
      std::uniform_real_distribution<double> log_value(-3, trial % 2 == 0 ? 12 : -2.9);
      std::vector<double> wanted(static_cast<std::size_t>(count));
      for (double& value : wanted) value = log_value(random);
      const double lo = -4, hi = 13, gap = (hi - lo) / 42;
      const auto placed = spread(wanted, gap, lo, hi);
      std::vector<std::size_t> order(wanted.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return wanted[a] < wanted[b]; });
      EXPECT_GE(placed[order.front()], lo - 1e-9);
      EXPECT_LE(placed[order.back()], hi + 1e-9);
      for (std::size_t i = 1; i < order.size(); ++i) {
        EXPECT_GE(placed[order[i]] - placed[order[i - 1]], gap - 1e-9) << count << " roofs, trial " << trial;
      }
    }
  }
}

TEST(Spread, MovesNothingThatIsFarEnoughApart) {
  const std::vector<double> wanted = {5, 1, 3};
  EXPECT_EQ(spread(wanted, 2, 0, 6), wanted);
}

TEST(Spread, IsTheNearestPlacement) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> value(0, 10);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<double> wanted(6);
    for (double& one : wanted) one = value(random);
    std::sort(wanted.begin(), wanted.end());
    const auto placed = spread(wanted, 1.5, 0, 10);
    EXPECT_NEAR(cost(wanted, placed), cost(wanted, spread_by_projections(wanted, 1.5, 0, 10)), 1e-4);
  }
}

TEST(Spread, KeepsEqualWishesInOrderAndFillsTheLastRoom) {
  EXPECT_EQ(spread({2, 2, 2}, 1, 0, 2), (std::vector<double>{0, 1, 2}));
  EXPECT_TRUE(spread({}, 1, 0, 1).empty());
}

TEST(Spread, SaysWhenThereIsNoRoom) {
  EXPECT_THROW(spread({1, 1, 1}, 1, 0, 1.9), std::invalid_argument);
}

TEST(Group, JoinsOnlyNearValuesOfOneKey) {
  const std::vector<Labelled> values = {{"a", 38.0}, {"b", 38.1}, {"a", 37.5}, {"a", 30}};
  const std::vector<std::vector<std::size_t>> expected = {{1}, {0, 2}, {3}};
  EXPECT_EQ(group(values, 0.02), expected);
}

TEST(Group, EveryValueIsInOneGroupAndWithinTolerance) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(1, 3);
  std::vector<Labelled> values;
  for (int i = 0; i < 60; ++i) values.push_back({i % 3 == 0 ? "a" : "b", value(random)});
  std::vector<int> seen(values.size(), 0);
  for (const auto& members : group(values, 0.02)) {
    for (const std::size_t member : members) {
      ++seen[member];
      EXPECT_EQ(values[member].key, values[members.front()].key);
      EXPECT_GE(values[member].value, 0.98 * values[members.front()].value);
    }
  }
  EXPECT_EQ(seen, std::vector<int>(values.size(), 1));
  EXPECT_LE(group_at_most(values, 9).size(), 9u);
  EXPECT_EQ(group_at_most(values, 1).size(), 2u) << "one group a key is the end";
}

}  // namespace
