// How often figures of an unchanged machine, and equal nodes, differ significantly, and how large a
// difference must be to be found.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/cluster/spread.hpp"
#include "model/compare/compare.hpp"
#include "model/statistics/student.hpp"

namespace gable::model {
namespace {

using RandomBits = std::mt19937_64;

constexpr double sd = 0.01;  // of a round

std::vector<Figure> figures_of(int count, int rounds, double slower, RandomBits& random) {
  std::normal_distribution<double> normal;
  std::vector<Figure> figures;
  for (int i = 0; i < count; ++i) {
    Figure figure;
    figure.section = "bandwidth";
    figure.question = figure.name = "figure " + std::to_string(i);
    figure.unit = "GB/s";
    figure.drift_group = "memory";
    figure.visits = rounds;
    std::vector<std::vector<double>> visits;
    for (int round = 0; round < rounds; ++round) {
      const double level = (i == 0 ? 1 - slower : 1) * std::exp(sd * normal(random));
      visits.emplace_back();
      for (int k = 0; k < 6; ++k) visits.back().push_back(level * std::exp(0.002 * normal(random)));
    }
    figure.estimate = estimate(visits, 0.9);
    figures.push_back(std::move(figure));
  }
  return figures;
}

// Share of comparisons in which figure 0 (if it is slower), or any, is significant.
double found_in(int figures, int rounds, double slower, int pairs) {
  RandomBits random(23);
  int found = 0;
  for (int i = 0; i < pairs; ++i) {
    const Comparison comparison =
        compare(figures_of(figures, rounds, 0, random), figures_of(figures, rounds, slower, random));
    found += slower > 0 ? comparison.differences[0].significant : comparison.significant > 0;
  }
  return static_cast<double>(found) / pairs;
}

// Few rounds agree by chance in some of many figures. One in twenty, and what so many comparisons may show by
// chance.
TEST(FalseAlarms, FewRoundsOfManyFiguresShowNone) {
  EXPECT_LE(found_in(100, 2, 0, 120), 0.10);
  EXPECT_LE(found_in(300, 3, 0, 100), 0.05);
  EXPECT_LE(found_in(100, 6, 0, 60), 0.12);
}

TEST(FalseAlarms, AChangeIsFoundAllTheSame) {
  EXPECT_GE(found_in(100, 6, 0.10, 40), 0.8);
  EXPECT_GE(found_in(100, 9, 0.05, 40), 0.8);
}

// Share of groups in which node 0 (if it is lower), or any, is an outlier of one of the figures.
double outliers_in(std::size_t nodes, std::size_t figures, double lower, int groups) {
  RandomBits random(29);
  std::normal_distribution<double> normal;
  int found = 0;
  for (int i = 0; i < groups; ++i) {
    bool any = false;
    for (std::size_t figure = 0; figure < figures; ++figure) {
      std::vector<double> values;
      for (std::size_t node = 0; node < nodes; ++node)
        values.push_back(100 * std::exp(0.005 * normal(random)));
      if (figure == 0) values[0] *= 1 - lower;
      const auto outliers = outliers_of(values, std::vector<double>(nodes), figures);
      any =
          any || (lower > 0 ? figure == 0 && !outliers.empty() && outliers[0].node == 0 : !outliers.empty());
    }
    found += any ? 1 : 0;
  }
  return static_cast<double>(found) / groups;
}

TEST(FalseAlarms, EqualNodesSeldomHaveAnOutlierInAnyOfManyFigures) {
  for (const std::size_t nodes : {5u, 6u, 8u, 16u, 64u}) {
    EXPECT_LE(outliers_in(nodes, 20, 0, 400), 0.085) << nodes << " nodes";
    EXPECT_LE(outliers_in(nodes, 1, 0, 2000), 0.065) << nodes << " nodes";
  }
}

// docs/cluster.md has these distances.
TEST(FalseAlarms, ALowNodeIsFoundInASmallGroupToo) {
  EXPECT_GE(outliers_in(6, 20, 0.35, 200), 0.75);
  EXPECT_GE(outliers_in(8, 20, 0.10, 200), 0.4);
  EXPECT_GE(outliers_in(16, 20, 0.05, 200), 0.65);
}

// All nodes drift together, and each by itself.
TEST(FalseAlarms, NodesThatDriftTogetherSeldomHaveChanged) {
  RandomBits random(31);
  std::normal_distribution<double> normal;
  constexpr int groups = 400, figures = 20;
  int alarms = 0;
  for (int i = 0; i < groups; ++i) {
    bool any = false;
    for (int figure = 0; figure < figures; ++figure) {
      std::vector<double> changes;
      const double common = 0.01 * normal(random);
      for (int node = 0; node < 64; ++node) changes.push_back(common + 0.01 * normal(random));
      any = any || !change_of(changes, std::vector<double>(64, 0.002), figures).nodes.empty();
    }
    alarms += any ? 1 : 0;
  }
  EXPECT_LE(alarms, 34);
}

// The expansion of Cornish and Fisher for many degrees of freedom.
TEST(FalseAlarms, CriticalTHasNoStep) {
  constexpr double z = 1.959963985;
  for (double freedom = 100; freedom < 3e6; freedom *= 1.7) {
    const double t = z + (std::pow(z, 3) + z) / (4 * freedom) +
                     (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / (96 * freedom * freedom);
    EXPECT_NEAR(critical_t(freedom), t, 2e-5) << freedom;
  }
}

// Of scipy.stats.t.
TEST(FalseAlarms, SmallChancesOfManyDegreesOfFreedomAreRight) {
  EXPECT_NEAR(two_sided_p(3, 501) / 2.834219e-03, 1, 1e-3);
  EXPECT_NEAR(two_sided_p(10, 501) / 1.375034e-21, 1, 5e-3);
  EXPECT_NEAR(two_sided_p(5, 5000) / 5.928947e-07, 1, 1e-3);
  EXPECT_NEAR(two_sided_p(4, 50000) / 6.343353e-05, 1, 1e-3);
}

}  // namespace
}  // namespace gable::model
