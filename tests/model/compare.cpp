// Differences between folders, held against other algorithms and drawn machines.

#include "model/compare/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/draws.hpp"
#include "tests/model/named_figure.hpp"

namespace gable::model {
namespace {

using RandomBits = std::mt19937_64;

// A run of a machine: figures that drift from run to run and from round to round, and that others disturb.
struct DrawnRun {
  double between_runs = 0.003;   // standard deviation of each figure, relative
  double between_rounds = 0.01;  // the same
  double noise = 0.005;          // mean slowdown of a repetition
  double disturbed = 0;          // share of rounds in which a neighbour takes a third
  double clock = 1;              // of this run: all figures follow it
  int rounds = 6;
};

std::vector<double> drawn_rounds(const DrawnRun& run, double truth, RandomBits& random) {
  std::normal_distribution<double> normal;
  std::bernoulli_distribution is_disturbed(run.disturbed);
  const double level = truth * run.clock * std::exp(run.between_runs * normal(random));
  std::vector<double> rounds;
  for (int i = 0; i < run.rounds; ++i) {
    const double slow = is_disturbed(random) ? 2.0 / 3 : 1;
    rounds.push_back(slow * level * std::exp(run.between_rounds * normal(random)));
  }
  return rounds;
}

Estimate estimate_of(const DrawnRun& run, const std::vector<double>& rounds, RandomBits& random) {
  std::exponential_distribution<double> within(1 / run.noise);
  std::vector<std::vector<double>> visits;
  for (const double rate : rounds) {
    visits.emplace_back();
    for (int i = 0; i < 12; ++i) visits.back().push_back(rate / (1 + within(random)));
  }
  return estimate(visits, 0.9);
}

std::vector<Figure> drawn_figures(const DrawnRun& run, const std::vector<double>& truths,
                                  RandomBits& random) {
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    Figure figure = figure_named(static_cast<int>(i));
    figure.estimate = estimate_of(run, drawn_rounds(run, truths[i], random), random);
    figure.visits = run.rounds;
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::vector<double> truths_of(std::size_t count) {
  std::vector<double> truths(count);
  for (std::size_t i = 0; i < count; ++i) truths[i] = std::exp(0.1 * static_cast<double>(i + 1));
  return truths;
}

// The shares of figures and of pairs with a false alarm, over many pairs of runs of one machine.
struct Alarms {
  double cells = 0, pairs = 0, unadjusted_pairs = 0;
  double outside = 0;  // share of intervals that do not hold the truth
};

Alarms alarms_of(const DrawnRun& run, double clock_deviation, int pairs) {
  RandomBits random(17);
  std::normal_distribution<double> normal;
  const std::vector<double> truths = truths_of(40);
  Alarms alarms;
  for (int i = 0; i < pairs; ++i) {
    DrawnRun first = run, other = run;
    first.clock = std::exp(clock_deviation * normal(random));
    other.clock = std::exp(clock_deviation * normal(random));
    const Comparison comparison =
        compare(drawn_figures(first, truths, random), drawn_figures(other, truths, random));
    alarms.cells += comparison.significant / 40.0 / pairs;
    alarms.pairs += (comparison.significant > 0 ? 1.0 : 0.0) / pairs;
    const bool any =
        std::ranges::any_of(comparison.differences, [](const auto& one) { return one.p < 0.05; });
    for (const Difference& one : comparison.differences)
      alarms.outside += (one.lo > 0 || one.hi < 0 ? 1.0 : 0.0) / 40 / pairs;
    alarms.unadjusted_pairs += (any ? 1.0 : 0.0) / pairs;
  }
  return alarms;
}

TEST(Compare, AMachineHasNoSignificantDifferencesFromItself) {
  const int pairs = tests::draws(30, 1000);
  const std::pair<DrawnRun, double> machines[] = {
      {{}, 0},                                  // steady
      {{}, 0.004},                              // the clock is another in each run
      {{0.005, 0.002, 0.001}, 0.002},           // runs differ by more than rounds
      {{0.003, 0.03, 0.02, 0.1}, 0},            // busy neighbours
      {{0.003, 0.01, 0.005, 0, 1, 15}, 0.002},  // many rounds
      {{0.003, 0.01, 0.005, 0, 1, 3}, 0}};      // few rounds
  constexpr int count = std::size(machines);
  double all = 0;
  for (const auto& [run, clock] : machines) {
    const Alarms alarms = alarms_of(run, clock, pairs);
    EXPECT_LE(alarms.cells, 0.05) << run.between_runs << " " << run.between_rounds;
    EXPECT_LE(alarms.pairs, 0.05 + 3.5 * std::sqrt(0.05 / pairs)) << run.between_runs << " " << run.rounds;
    all += alarms.pairs / count;
  }
  EXPECT_LE(all, 0.05 + 2.5 * std::sqrt(0.05 / (pairs * count)));
}

// What the test above would see if nothing were adjusted for the number of figures.
TEST(Compare, WithoutAdjustmentMostRunsWouldHaveAFalseAlarm) {
  EXPECT_GT(alarms_of({}, 0, 60).unadjusted_pairs, 0.5);
}

// A little more: the drift that is estimated only widens them.
TEST(Compare, IntervalsHoldTheTruthIn95OfAHundred) {
  for (const int rounds : {4, 6, 15}) {
    const double outside = alarms_of({0, 0.01, 0.002, 0, 1, rounds}, 0, tests::draws(60, 1000)).outside;
    EXPECT_LE(outside, 0.07) << rounds << " rounds";
    EXPECT_GE(outside, 0.02) << rounds << " rounds: wider than they need to be";
  }
}

TEST(Compare, FindsKnownShiftsWithTheirDirectionAndSize) {
  RandomBits random(5);
  const DrawnRun run;
  const int pairs = tests::draws(40, 1000);
  int shifted = 0, found = 0, right = 0, covered = 0, all = 0;
  for (int i = 0; i < pairs; ++i) {
    const std::vector<double> truths = truths_of(40);
    std::vector<double> others = truths;
    for (std::size_t k = 0; k < 6; ++k) others[7 * k] *= k % 2 == 0 ? 0.9 : 1.12;
    const Comparison comparison =
        compare(drawn_figures(run, truths, random), drawn_figures(run, others, random));
    for (const Difference& difference : comparison.differences) {
      const double truth = others[difference.figures.first] / truths[difference.figures.first] - 1;
      ++all;
      covered += difference.lo <= truth && truth <= difference.hi;
      if (truth == 0) continue;
      ++shifted;
      found += difference.significant;
      right += difference.worse == (truth < 0) && std::abs(difference.change - truth) < 0.05;
    }
  }
  EXPECT_GE(found, 0.9 * shifted);
  EXPECT_GE(right, 0.99 * shifted);
  EXPECT_GE(covered, 0.93 * all);
}

TEST(Compare, FindsADoubledFigureAndNoOther) {
  RandomBits random(6);
  std::vector<Figure> first = drawn_figures({}, truths_of(40), random), other = first;
  for (double Estimate::*part : {&Estimate::value, &Estimate::lo, &Estimate::hi})
    other[11].estimate.*part *= 2;
  const auto doubled = [&] {
    const Comparison comparison = compare(first, other);
    EXPECT_EQ(comparison.significant, 1);
    return comparison.differences[11];
  };
  EXPECT_TRUE(doubled().significant);
  EXPECT_NEAR(doubled().change, 1, 1e-12);
  EXPECT_FALSE(doubled().worse);
  EXPECT_FALSE(doubled().fails(5));
  first[11].better = other[11].better = Better::lower;
  EXPECT_TRUE(doubled().worse);
  EXPECT_TRUE(doubled().fails(99));
  EXPECT_FALSE(doubled().fails(100));
  std::swap(first, other);
  EXPECT_FALSE(doubled().significant && doubled().worse);
  EXPECT_NEAR(compare(first, other).differences[11].change, -0.5, 1e-12);
}

// A change of everything is a change of the machine, not drift.
TEST(Compare, FindsThatEverythingIsSlower) {
  RandomBits random(7);
  std::vector<double> truths = truths_of(40), slower = truths;
  for (double& truth : slower) truth *= 0.85;
  const Comparison comparison = compare(drawn_figures({}, truths, random), drawn_figures({}, slower, random));
  EXPECT_GT(comparison.significant, 35);
  for (const Drift& drift : comparison.drifts) EXPECT_EQ(drift.deviation, most_drift) << drift.group;
}

TEST(Compare, SwappedFoldersHaveReciprocalChanges) {
  RandomBits random(8);
  const auto first = drawn_figures({}, truths_of(30), random),
             other = drawn_figures({}, truths_of(30), random);
  const Comparison forth = compare(first, other), back = compare(other, first);
  for (std::size_t i = 0; i < 30; ++i) {
    const Difference &a = forth.differences[i], &b = back.differences[i];
    EXPECT_NEAR((1 + a.change) * (1 + b.change), 1, 1e-9);
    EXPECT_NEAR((1 + a.lo) * (1 + b.hi), 1, 1e-9);
    EXPECT_NEAR(a.p, b.p, 1e-9);
    EXPECT_NE(a.worse, b.worse);
  }
}

// The exact permutation test of the difference between the means of the logarithms: 6 of 12 rounds.
double permutation_p(const std::vector<double>& first, const std::vector<double>& other) {
  std::vector<double> logs;
  for (const auto* rounds : {&first, &other}) {
    for (const double rate : *rounds) logs.push_back(std::log(rate));
  }
  const double total = std::accumulate(logs.begin(), logs.end(), 0.0);
  const auto distance = [&](double sum) { return std::abs(2 * sum - total); };
  const double seen = distance(std::accumulate(logs.begin(), logs.begin() + 6, 0.0));
  int as_far = 0, all = 0;
  for (unsigned subset = 0; subset < 4096; ++subset) {
    if (__builtin_popcount(subset) != 6) continue;
    double sum = 0;
    for (unsigned i = 0; i < 12; ++i) sum += subset >> i & 1 ? logs[i] : 0;
    ++all;
    as_far += distance(sum) >= seen - 1e-12;
  }
  return static_cast<double>(as_far) / all;
}

TEST(Compare, AgreesWithAPermutationTest) {
  RandomBits random(9);
  DrawnRun run;
  run.between_runs = 0;
  run.noise = 1e-6;
  const std::vector<double> shifts = {0, 0.01, 0.02, 0.05};
  const int pairs = tests::draws(40, 400);
  for (const double shift : shifts) {
    int ours = 0, theirs = 0, all = 0;
    for (int i = 0; i < pairs; ++i) {
      std::vector<Figure> first, other;
      std::vector<double> p;
      for (int number = 0; number < 40; ++number) {  // few are shifted
        const double factor = number < 4 ? 1 + shift : 1;
        const auto a = drawn_rounds(run, 10, random), b = drawn_rounds(run, 10 * factor, random);
        first.push_back(figure_named(number));
        other.push_back(figure_named(number));
        first.back().estimate = estimate_of(run, a, random);
        other.back().estimate = estimate_of(run, b, random);
        first.back().visits = other.back().visits = 6;
        if (number < 4) p.push_back(permutation_p(a, b));
      }
      const Comparison comparison = compare(first, other);
      for (std::size_t number = 0; number < 4; ++number) {
        ours += comparison.differences[number].p < 0.05;
        theirs += p[number] < 0.05;
        ++all;
      }
    }
    const double our_share = static_cast<double>(ours) / all, their_share = static_cast<double>(theirs) / all;
    const double tolerance = 3 * std::sqrt(0.25 / all);
    EXPECT_LE(our_share, their_share + tolerance) << shift;         // no test of these rounds finds more
    EXPECT_GE(our_share, 0.55 * their_share - tolerance) << shift;  // medians and the drift cost
  }
}

TEST(Compare, WhatCannotBeJudgedSaysWhy) {
  std::vector<Figure> first = {figure_named(0), figure_named(1), figure_named(2)};
  for (Figure& figure : first) figure.estimate = {10, 9.9, 10.1, 5};
  std::vector<Figure> other = first;
  first[0].visits = 1;
  other[1].estimate = {20, 20, 20, 0};
  other[1].visits = Figure::published;
  other[2].estimate = {0, 0, 0, 5};
  const Comparison comparison = compare(first, other);
  EXPECT_EQ(comparison.judged, 0);
  EXPECT_EQ(comparison.significant, 0);
  EXPECT_EQ(comparison.differences[0].not_judged,
            "the first figure has a single round, which shows no drift");
  EXPECT_EQ(comparison.differences[1].not_judged, "the other figure has no interval");
  EXPECT_EQ(comparison.differences[2].not_judged, "the other figure is 0");
  EXPECT_NEAR(comparison.differences[1].change, 1, 1e-12);
}

}  // namespace
}  // namespace gable::model
