#include "model/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/roofs/interval.hpp"
#include "tests/draws.hpp"

namespace gable::model {
namespace {

using Visits = std::vector<std::vector<double>>;

// A machine of rate 100 that drifts from visit to visit and that others only slow down.
struct DriftingMachine {
  double drift;  // standard deviation between visits, relative
  double noise;  // mean slowdown of a repetition, relative
  // The rate that a share of `share` of the repetitions of an undisturbed visit stays below.
  double truth(double share = 0.5) const { return 100 / (1 - noise * std::log(share)); }

  Visits measure(std::mt19937_64& random, int visits, int repetitions) const {
    std::normal_distribution<double> between(0, drift);
    std::exponential_distribution<double> within(1 / noise);
    Visits all;
    for (int v = 0; v < visits; ++v) {
      const double rate = 100 * std::exp(between(random));
      all.emplace_back();
      for (int r = 0; r < repetitions; ++r) all.back().push_back(rate / (1 + within(random)));
    }
    return all;
  }
};

// The share of experiments whose interval holds the truth.
double coverage(const DriftingMachine& machine, int visits, int repetitions, double share = 0.5) {
  constexpr int experiments = 4000;
  std::mt19937_64 random(7);
  int covered = 0;
  for (int i = 0; i < experiments; ++i) {
    const Estimate figure = estimate(machine.measure(random, visits, repetitions), share);
    covered += figure.lo <= machine.truth(share) && machine.truth(share) <= figure.hi;
  }
  return static_cast<double>(covered) / experiments;
}

// Over all outcomes of a binomial distribution.
TEST(ShareInterval, CoversTheTruth) {
  for (const int n : {20, 200}) {
    for (const double truth : {0.1, 0.26, 0.5}) {
      double covered = 0;
      for (int k = 0; k <= n; ++k) {
        const double share = static_cast<double>(k) / n;
        const double chance = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                                       k * std::log(truth) + (n - k) * std::log(1 - truth));
        const auto [lo, hi] = share_interval(k, n);
        EXPECT_TRUE(lo <= share && share <= hi);
        if (lo <= truth && truth <= hi) covered += chance;
      }
      EXPECT_GE(covered, 0.93) << n << " " << truth;
      EXPECT_LE(covered, 0.999) << n << " " << truth;
    }
  }
  EXPECT_NEAR(share_interval(0, 10).second, 0.2775, 1e-4) << "none of ten, as in tables";
}

TEST(Estimate, IntervalCoversTheTruthWhenTheMachineDrifts) {
  for (const int visits : {2, 3, 4, 5, 6, 7, 8, 10, 13, 20}) {
    const double share = coverage({0.02, 0.005}, visits, 15);
    EXPECT_GE(share, 0.93) << visits << " visits, drift above noise";
    EXPECT_LE(share, 0.97) << visits << " visits: the interval is wider than it needs to be";
    const double attainable = coverage({0.02, 0.005}, visits, 15, 0.9);
    EXPECT_GE(attainable, 0.93) << visits << " visits, the best tenth";
    EXPECT_LE(attainable, 0.97) << visits << " visits, the best tenth: wider than it needs to be";
    // An interval is at least as wide as that of a typical visit, so it is wider than 95 % where noise rules.
    EXPECT_GE(coverage({0.001, 0.03}, visits, 15), 0.93) << visits << " visits, noise above drift";
  }
}

TEST(Estimate, IntervalOfOneVisitCoversTheTruthWithoutDrift) {
  for (const int repetitions : {3, 5, 6, 10, 30, 200}) {
    EXPECT_GE(coverage({0, 0.005}, 1, repetitions), 0.93) << repetitions << " repetitions";
  }
}

TEST(Estimate, IntervalIsNotWiderThanItNeedsToBe) {
  std::mt19937_64 random(8);
  const DriftingMachine machine = {0.01, 0.002};
  double width = 0;
  for (int i = 0; i < 1000; ++i) {
    const Estimate figure = estimate(machine.measure(random, 10, 20));
    width += (figure.hi - figure.lo) / 2 / figure.value / 1000;
  }
  // Student's t about the mean of ten visits would be 2.262 / sqrt(10) of the drift.
  EXPECT_LT(width, 1.5 * 0.01 * 2.262 / std::sqrt(10));
}

TEST(Estimate, RecoversTheRateOfAManyTimesVisitedMachine) {
  std::mt19937_64 random(9);
  const DriftingMachine machine = {0.01, 0.01};
  const Estimate figure = estimate(machine.measure(random, 2000, 20));
  EXPECT_NEAR(figure.value, machine.truth(), 0.1);
  EXPECT_EQ(figure.n, 40000);
}

TEST(Estimate, OneDisturbedVisitMovesTheValueLittle) {
  std::mt19937_64 random(10);
  Visits visits = DriftingMachine{0.002, 0.002}.measure(random, 5, 9);
  const double before = estimate(visits).value;
  for (double& rate : visits.front()) rate /= 3;
  EXPECT_NEAR(estimate(visits).value, before, 0.01 * before);
}

TEST(Estimate, HoldsItsValueAndKnowsNoOrder) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 500; ++i) {
    Visits visits = DriftingMachine{0.05, 0.05}.measure(random, 1 + i % 7, 1 + i % 11);
    const Estimate figure = estimate(visits);
    EXPECT_LE(figure.lo, figure.value);
    EXPECT_LE(figure.value, figure.hi);
    EXPECT_GT(figure.lo, 0);
    std::shuffle(visits.begin(), visits.end(), random);
    for (auto& rates : visits) std::shuffle(rates.begin(), rates.end(), random);
    const Estimate shuffled = estimate(visits);
    EXPECT_EQ(shuffled.value, figure.value);
    EXPECT_EQ(shuffled.lo, figure.lo);
    EXPECT_EQ(shuffled.hi, figure.hi);
  }
}

TEST(Estimate, TheReciprocalHasTheReciprocalInterval) {
  std::mt19937_64 random(12);
  Visits visits = DriftingMachine{0.02, 0.02}.measure(random, 5, 9);
  const Estimate rate = estimate(visits);
  for (auto& rates : visits) {
    for (double& value : rates) value = 1 / value;
  }
  const Estimate time = estimate(visits);
  EXPECT_NEAR(time.value * rate.value, 1, 1e-12);
  EXPECT_NEAR(time.lo * rate.hi, 1, 1e-12);
  EXPECT_NEAR(time.hi * rate.lo, 1, 1e-12);
}

TEST(Estimate, IsNeverNarrowerThanATypicalVisit) {
  const std::vector<double> rates = {90, 92, 94, 96, 98, 100, 102, 104, 106};
  const Estimate three = estimate({rates, rates, rates});  // visits that agree by accident
  EXPECT_EQ(three.lo, estimate_median(rates).lo);
  EXPECT_EQ(three.hi, estimate_median(rates).hi);
}

TEST(Estimate, OfOneVisitIsAsWideAsItsRepetitions) {
  std::vector<double> rates(50, 100);
  rates.push_back(50);
  rates.push_back(120);
  EXPECT_EQ(estimate({rates}).lo, 50);
  EXPECT_EQ(estimate({rates}).hi, 120);
}

TEST(Estimate, EveryBoundIsANumber) {
  const Estimate figure = estimate({{1e-20}, {1e20}});
  EXPECT_TRUE(std::isfinite(figure.hi));
  EXPECT_GT(figure.lo, 0);
}

TEST(Estimate, CountsEmptyVisitsForNothing) {
  const Estimate figure = estimate({{}, {5, 5, 5}, {}});
  EXPECT_EQ(figure.value, 5);
  EXPECT_EQ(figure.n, 3);
}

TEST(EstimateMedian, InterpolatesBetweenTheOrderStatisticsOfTheTextbook) {
  // Ranks of the 95 % interval of a median, as printed in tables of the sign test: the interval from them is
  // at least as wide, and that from the next ones is narrower.
  const std::vector<std::pair<int, int>> ranks = {{6, 1},  {8, 1},  {9, 2},  {12, 3},
                                                  {15, 4}, {20, 6}, {25, 8}, {50, 18}};
  for (const auto& [n, rank] : ranks) {
    std::vector<double> values;
    for (int i = 1; i <= n; ++i) values.push_back(i);
    const Estimate figure = estimate_median(values);
    EXPECT_GE(figure.lo, rank) << n;
    EXPECT_LT(figure.lo, rank + 1) << n;
    EXPECT_NEAR(figure.hi, n + 1 - figure.lo, 1e-9) << n;
  }
}

// Normal values, whose median is known: two-sided, for every number up to 30.
TEST(EstimateMedian, CoversTheTruthIn95OfAHundred) {
  std::mt19937_64 random(14);
  std::normal_distribution<double> normal(0, 0.01);
  for (int n = 2; n <= 30; ++n) {
    constexpr int experiments = 10000;
    int covered = 0;
    for (int i = 0; i < experiments; ++i) {
      std::vector<double> values(static_cast<std::size_t>(n));
      for (double& value : values) value = std::exp(normal(random));
      const Estimate figure = estimate_median(values);
      covered += figure.lo <= 1 && 1 <= figure.hi;
    }
    EXPECT_NEAR(covered, 0.95 * experiments, 0.012 * experiments) << n << " values";
  }
}

// Two of the same machine, also where one varies more than the other.
TEST(RatioInterval, CoversTheTruthIn95OfAHundred) {
  std::mt19937_64 random(15);
  for (const double other_deviation : {0.05, 0.01}) {
    for (const std::size_t n : {4u, 6u, 10u, 30u}) {
      const int experiments = tests::draws(1000, 6000);
      int covered = 0;
      for (int i = 0; i < experiments; ++i) {
        const auto drawn = [&](double deviation) {
          std::normal_distribution<double> normal(0, deviation);
          std::vector<double> values(n);
          for (double& value : values) value = std::exp(normal(random));
          return estimate_median(values);
        };
        const auto [lo, hi] = ratio_interval(drawn(0.05), drawn(other_deviation));
        covered += lo <= 1 && 1 <= hi;
      }
      EXPECT_GE(covered, 0.925 * experiments) << n << " values, deviation " << other_deviation;
      EXPECT_LE(covered, 0.975 * experiments) << n << " values, deviation " << other_deviation;
    }
  }
}

TEST(EstimateMedian, OneValueIsItsOwnInterval) {
  const Estimate figure = estimate_median({3});
  EXPECT_EQ(figure.lo, 3);
  EXPECT_EQ(figure.hi, 3);
  EXPECT_EQ(figure.n, 1);
}

TEST(RelativeHalfWidth, ShrinksWithRepetitionsAndKnowsNoUnit) {
  std::mt19937_64 random(13);
  const DriftingMachine machine = {0, 0.02};
  const std::vector<double> few = machine.measure(random, 1, 8).front();
  const std::vector<double> many = machine.measure(random, 1, 800).front();
  EXPECT_GT(relative_half_width(few), 3 * relative_half_width(many));
  std::vector<double> scaled = few;
  for (double& rate : scaled) rate *= 1e-9;
  EXPECT_NEAR(relative_half_width(scaled), relative_half_width(few), 1e-12);
  const Estimate visit = estimate_median(few);
  EXPECT_NEAR(visit.value * (1 + 2 * relative_half_width(few)), visit.value + visit.hi - visit.lo, 1e-9);
  EXPECT_TRUE(std::isinf(relative_half_width({})));
  EXPECT_TRUE(std::isinf(relative_half_width({1})));
}

TEST(IntervalText, IsTheFurtherEndRoundedUpToATenth) {
  EXPECT_EQ(interval_percent(100, 99, 100.4), 1.0);
  EXPECT_EQ(interval_percent(100, 99.9, 101.01), 1.1);
  EXPECT_FALSE(interval_percent(100, 100, 100));
  EXPECT_FALSE(interval_percent(0, -1, 1));
  EXPECT_EQ(interval_form(100, 0, 200), IntervalForm::percent);
  EXPECT_EQ(interval_form(100, 0, 201), IntervalForm::ends);
  EXPECT_EQ(interval_form(0, -1, 1), IntervalForm::ends);
  EXPECT_EQ(interval_form(0, 0, 0), IntervalForm::none);
}

TEST(IntervalText, TwoVisitsThatDifferSayNoInterval) {
  const Estimate far = estimate_median({34, 132});  // ns, of one line as two visits saw it
  EXPECT_EQ(interval_form(far.value, far.lo, far.hi), IntervalForm::unknown);
  EXPECT_DOUBLE_EQ(far.hi, widest_interval * far.value);
  EXPECT_DOUBLE_EQ(far.lo, far.value / widest_interval);
  const Estimate near = estimate_median({34, 35});
  EXPECT_EQ(interval_form(near.value, near.lo, near.hi), IntervalForm::percent);
  const Estimate apart = estimate_median({34, 60});
  EXPECT_EQ(interval_form(apart.value, apart.lo, apart.hi), IntervalForm::ends);
}

}  // namespace
}  // namespace gable::model
