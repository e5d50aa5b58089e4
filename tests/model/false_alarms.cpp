// How often figures of an unchanged machine, and equal nodes, differ significantly, and how large a
// difference must be to be found.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/cluster/spread.hpp"
#include "model/compare/compare.hpp"
#include "model/statistics/statistics.hpp"
#include "tests/draws.hpp"

namespace gable::model {
namespace {

using RandomBits = std::mt19937_64;

constexpr double sd = 0.01;  // of a round

// `quietest`: the noise of the last figure, as a share of that of the first.
struct Repeated {
  int figures = 0, rounds = 0;
  double quietest = 1;
  double drift = 0;  // between two runs, standard deviation of the difference
};

std::vector<Figure> figures_of(const Repeated& machine, double slower, RandomBits& random) {
  std::normal_distribution<double> normal;
  std::vector<Figure> figures;
  for (int i = 0; i < machine.figures; ++i) {
    const double noise = sd * std::pow(machine.quietest, static_cast<double>(i) / machine.figures);
    const double drift = machine.drift > 0 ? machine.drift / std::sqrt(2) * normal(random) : 0;
    Figure figure;
    figure.section = "bandwidth";
    figure.question = figure.name = "figure " + std::to_string(i);
    figure.unit = "GB/s";
    figure.drift_group = "memory";
    figure.visits = machine.rounds;
    std::vector<std::vector<double>> visits;
    for (int round = 0; round < machine.rounds; ++round) {
      const double level = (i == 0 ? 1 - slower : 1) * std::exp(drift + noise * normal(random));
      visits.emplace_back();
      for (int k = 0; k < 6; ++k) visits.back().push_back(level * std::exp(0.002 * normal(random)));
    }
    figure.estimate = estimate(visits, 0.9);
    figures.push_back(std::move(figure));
  }
  return figures;
}

// Share of comparisons in which figure 0 (if it is slower), or any, is significant.
double found_in(const Repeated& machine, double slower, int pairs) {
  RandomBits random(23);
  pairs *= tests::draws(1, 4);
  int found = 0;
  for (int i = 0; i < pairs; ++i) {
    const Comparison comparison =
        compare(figures_of(machine, 0, random), figures_of(machine, slower, random));
    found += slower > 0 ? comparison.differences[0].significant : comparison.significant > 0;
  }
  return static_cast<double>(found) / pairs;
}

// Few rounds agree by chance in some of many figures. One in twenty, and what so many comparisons may show by
// chance.
TEST(FalseAlarms, FewRoundsOfManyFiguresShowNone) {
  EXPECT_LE(found_in({100, 2}, 0, 60), 0.10);
  EXPECT_LE(found_in({300, 3}, 0, 25), 0.08);
  EXPECT_LE(found_in({100, 6}, 0, 25), 0.12);
}

// The drift is then small beside the noise of some figures, and large beside that of others.
TEST(FalseAlarms, FiguresOfUnequalNoiseShowNone) {
  EXPECT_LE(found_in({100, 2, 0.1, 0}, 0, 60), 0.10);
  EXPECT_LE(found_in({300, 3, 0.1, 0}, 0, 25), 0.08);
}

// The drift of some comparisons seems to be 0.
TEST(FalseAlarms, FewFiguresThatDriftShowNone) {
  EXPECT_LE(found_in({20, 12, 0.1, 0.003}, 0, 200), 0.075);
  EXPECT_LE(found_in({20, 12, 1, 0.005}, 0, 200), 0.075);
}

TEST(FalseAlarms, AChangeIsFoundAllTheSame) {
  EXPECT_GE(found_in({100, 3}, 0.10, 40), 0.6);
  EXPECT_GE(found_in({100, 6}, 0.05, 40), 0.8);
  EXPECT_GE(found_in({100, 9}, 0.05, 40), 0.8);
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
    EXPECT_LE(outliers_in(nodes, 100, 0, 100), 0.12) << nodes << " nodes";
  }
}

// The table of docs/many-machines/cluster.md, for 20 roofs and a spread of 0.5 %.
struct Distance {
  std::size_t nodes = 0;
  double least = 0;     // of an outlier if the nodes show this spread exactly
  double found_in = 0;  // of a node that is found in four of five groups
};

constexpr Distance distances[] = {{5, 0.226, 0.42},    {6, 0.136, 0.24},   {8, 0.075, 0.12},
                                  {10, 0.055, 0.082},  {16, 0.038, 0.052}, {32, 0.0286, 0.037},
                                  {128, 0.0235, 0.029}};

// Nodes in equal steps with a spread of exactly 0.5 %, and the last one lower than all others.
bool is_outlier(std::size_t nodes, double lower) {
  const auto values_of = [&](double step) {
    std::vector<double> values;
    for (std::size_t node = 0; node + 1 < nodes; ++node)
      values.push_back(std::exp(step * static_cast<double>(node)));
    values.push_back(0.5);
    values.back() = nodes_spread(values).median * (1 - lower);
    return values;
  };
  const double step = 1e-4, deviation = nodes_spread(values_of(step)).deviation;
  const std::vector<double> values = values_of(step * 0.005 / deviation);
  EXPECT_NEAR(nodes_spread(values).deviation, 0.005, 1e-9);
  return !outliers_of(values, std::vector<double>(nodes), 20).empty();
}

TEST(FalseAlarms, DistancesOfOutliersAreThoseOfTheTable) {
  for (const Distance& distance : distances) {
    EXPECT_FALSE(is_outlier(distance.nodes, 0.97 * distance.least)) << distance.nodes << " nodes";
    EXPECT_TRUE(is_outlier(distance.nodes, 1.03 * distance.least)) << distance.nodes << " nodes";
    EXPECT_NEAR(outliers_in(distance.nodes, 20, distance.found_in, 300), 0.8, 0.08)
        << distance.nodes << " nodes";
  }
}

// All nodes drift together, and each by itself.
TEST(FalseAlarms, NodesThatDriftTogetherSeldomHaveChanged) {
  RandomBits random(31);
  std::normal_distribution<double> normal;
  constexpr int groups = 100, figures = 20, nodes = 256;
  int alarms = 0;
  for (int i = 0; i < groups; ++i) {
    bool any = false;
    for (int figure = 0; figure < figures; ++figure) {
      std::vector<double> changes;
      const double common = 0.01 * normal(random);
      for (int node = 0; node < nodes; ++node) changes.push_back(common + 0.01 * normal(random));
      any = any || !change_of(changes, std::vector<double>(nodes, 0.002), figures).nodes.empty();
    }
    alarms += any ? 1 : 0;
  }
  EXPECT_LE(alarms, 12);
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

// The expected values come from scipy.stats.t.
TEST(FalseAlarms, SmallChancesOfManyDegreesOfFreedomAreRight) {
  EXPECT_NEAR(two_sided_p(3, 501) / 2.834219e-03, 1, 1e-3);
  EXPECT_NEAR(two_sided_p(10, 501) / 1.375034e-21, 1, 5e-3);
  EXPECT_NEAR(two_sided_p(5, 5000) / 5.928947e-07, 1, 1e-3);
  EXPECT_NEAR(two_sided_p(4, 50000) / 6.343353e-05, 1, 1e-3);
}

}  // namespace
}  // namespace gable::model
