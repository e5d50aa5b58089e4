// Visits during which another hardware thread used a core: roofs are those of cores that are not shared.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "model/roofs/roofs.hpp"
#include "tests/model/random_records.hpp"

namespace gable::model {
namespace {

constexpr double width = 4;  // additions per cycle of a core that is not shared
constexpr double speed = 200, crowded_speed = 150;

Sample visit_beside(bool is_crowded, int round, Generator& random) {
  std::normal_distribution<double> between(0, 0.01), within(0, 0.002);
  const double drift = std::exp(between(random));
  std::vector<double> rates;
  for (int i = 0; i < 40; ++i)
    rates.push_back((is_crowded ? crowded_speed : speed) * drift * std::exp(within(random)));
  Sample sample = visit(rates, round);
  sample.adds_per_cycle = (is_crowded ? 0.6 : 1) * width * std::exp(within(random));
  return sample;
}

// `crowded` of the visits, in random rounds.
std::vector<Sample> visits(int all, int crowded, Generator& random) {
  std::vector<int> rounds(static_cast<std::size_t>(all));
  std::iota(rounds.begin(), rounds.end(), 0);
  std::ranges::shuffle(rounds, random);
  std::vector<Sample> samples;
  for (const int round : rounds)
    samples.push_back(visit_beside(std::ssize(samples) < crowded, round, random));
  return samples;
}

TEST(Crowded, TheRoofIsThatOfCoresThatAreNotShared) {
  Generator random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int all = 6 + trial % 7;
    const std::vector<Roof> roofs = fit_roofs(visits(all, trial % (all - 2), random));
    EXPECT_NEAR(roofs.front().value / speed, 1, 0.03) << trial;
    EXPECT_GT(roofs.front().lo, 1.02 * crowded_speed) << trial;
    EXPECT_TRUE(roofs.front().remarks.empty()) << trial;
  }
}

TEST(Crowded, IntervalsContainTheSpeedOfCoresThatAreNotShared) {
  Generator random(2);
  int contained = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    const Roof roof = fit_roofs(visits(12, 5, random)).front();
    const double reachable = speed * std::exp(0.002 * 1.28);  // what one repetition in ten exceeds
    if (roof.lo <= reachable && reachable <= roof.hi) ++contained;
  }
  EXPECT_GE(contained, 0.92 * trials);
}

TEST(Crowded, WithoutProbesAllVisitsCount) {
  Generator random(3);
  std::vector<Sample> samples = visits(9, 4, random);
  for (Sample& sample : samples) sample.adds_per_cycle = 0;
  const Roof roof = fit_roofs(samples).front();
  EXPECT_LT(roof.lo, 1.05 * crowded_speed);
  EXPECT_TRUE(roof.remarks.empty());
}

TEST(Crowded, WithFewerThanThreeOthersAllVisitsCountAndTheRoofSaysSo) {
  Generator random(4);
  const Roof roof = fit_roofs(visits(6, 4, random)).front();
  EXPECT_NEAR(roof.value / crowded_speed, 1, 0.05);
  EXPECT_EQ(roof.n, 6 * 40);
  EXPECT_NE(joined_sentences(roof.remarks).find("used the cores in 4 of 6 visits"), std::string::npos)
      << joined_sentences(roof.remarks);
}

// A cluster of slower cores does fewer additions per cycle, which does not make it crowded.
TEST(Crowded, ClustersAreComparedWithThemselves) {
  Generator random(5);
  std::vector<Sample> samples = visits(6, 0, random);
  for (Sample sample : visits(6, 0, random)) {
    sample.spec.cluster = 1;
    sample.adds_per_cycle /= 2;
    samples.push_back(sample);
  }
  for (const Roof& roof : fit_roofs(samples)) {
    EXPECT_TRUE(roof.remarks.empty());
    EXPECT_EQ(roof.n, 6 * 40);
  }
}

TEST(Crowded, InvalidVisitsShowNothing) {
  Generator random(6);
  std::vector<Sample> samples = visits(4, 0, random);
  samples.push_back(visit_beside(false, 4, random));
  samples.back().status = Status::invalid;
  samples.back().reason = {NoteCode::thread_moved, {0.0, 1.0}};
  samples.back().adds_per_cycle = 10 * width;
  EXPECT_TRUE(fit_roofs(samples).front().remarks.empty());
}

}  // namespace
}  // namespace gable::model
