// Machines whose memory has two speeds, which alternate: the reported state is found, and only where there is
// one.

#include "model/roofs/states.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "model/roofs/roofs.hpp"
#include "tests/model/random_records.hpp"

namespace gable::model {
namespace {

// Rounds of visits to memory (8 operations at 10, 20, … GB/s), L1 (4) and idle latency.
struct TwoSpeeds {
  int rounds = 9;
  double noise = 0.01;                                       // standard deviation between visits
  std::function<double(std::size_t, const Case&)> slowdown;  // of the n-th visit; 1: none

  std::vector<Sample> measure(Generator& random) const {
    std::vector<Sample> samples;
    for (int round = 0; round < rounds; ++round)
      for (int op = 0; op < 13; ++op) {
        Case spec;
        spec.cluster = 0;
        spec.op = Operation("op" + std::to_string(op));
        spec.level = op < 8 || op == 12 ? Level::memory() : Level::cache(1);
        spec.pattern = op < 8 || op == 12 ? Pattern::local : Pattern::cache;
        spec.kind = op == 12 ? Kind::latency : Kind::bandwidth;
        samples.push_back(one(random, spec, full_speed(op) / slowdown(samples.size(), spec), round));
      }
    return samples;
  }

  static double full_speed(int op) { return op == 12 ? 0.01 : 10.0 * (op + 1); }

 private:
  Sample one(Generator& random, const Case& spec, double speed, int round) const {
    std::normal_distribution<double> between(0, noise), within(0, 0.002);
    const double drift = std::exp(between(random));
    std::vector<double> rates;
    for (int i = 0; i < 40; ++i) rates.push_back(speed * drift * std::exp(within(random)));
    Sample sample = visit(rates, round);
    sample.spec = spec;
    return sample;
  }
};

// The States point into `samples`.
States states_of(const std::vector<Sample>& samples) {
  std::vector<const Sample*> visits;
  for (const Sample& sample : samples) visits.push_back(&sample);
  return find_states(visits);
}

// Memory is half as fast during the visits from `first` to `last`.
TwoSpeeds slow_during(std::size_t first, std::size_t last) {
  TwoSpeeds machine;
  machine.slowdown = [=](std::size_t n, const Case& spec) {
    return is_memory(spec.level) && spec.kind == Kind::bandwidth && n >= first && n <= last ? 2.0 : 1.0;
  };
  return machine;
}

TEST(States, TheFasterStateIsReportedForEveryMemoryRoof) {
  Generator random(1);
  for (const auto& [first, last] : {std::pair{30, 80}, {0, 60}, {50, 116}, {20, 89}}) {
    const auto samples =
        slow_during(static_cast<std::size_t>(first), static_cast<std::size_t>(last)).measure(random);
    int op = 0;
    for (const Roof& roof : fit_roofs(samples)) {
      const double speed = roof.unit == "ns" ? 1 / roof.value : roof.value;
      EXPECT_NEAR(speed / TwoSpeeds::full_speed(op), 1, 0.03) << key(roof.spec) << " from " << first;
      const bool differs = op < 8;
      EXPECT_EQ(!roof.remarks.empty(), differs) << joined_sentences(roof.remarks);
      EXPECT_EQ(roof.lo < 0.52 * roof.value, differs) << "the other state lies in the interval";
      ++op;
    }
  }
}

TEST(States, AFasterStateInWhichMostWasNotVisitedIsNotReported) {
  Generator random(2);
  TwoSpeeds machine;
  machine.slowdown = [](std::size_t n, const Case& spec) {  // the first and the last round begin fast
    return is_first_cache(spec.level) || n < 6 || (n >= 104 && n < 110) ? 1.0 : 2.0;
  };
  int op = 0;
  for (const Roof& roof : fit_roofs(machine.measure(random))) {
    if (op < 8) {
      EXPECT_NEAR(roof.value / TwoSpeeds::full_speed(op), 0.5, 0.02);
    }
    if (op < 6) {
      EXPECT_NE(joined_sentences(roof.remarks).find("figure of the one with slower transfers"),
                std::string::npos)
          << joined_sentences(roof.remarks);
      EXPECT_GT(roof.hi, 0.97 * TwoSpeeds::full_speed(op)) << "the faster state lies in the interval";
    }
    ++op;
  }
}

TEST(States, ADisturbedVisitDoesNotHideTheState) {
  Generator random(3);
  TwoSpeeds machine = slow_during(40, 90);
  const auto alternating = machine.slowdown;
  machine.slowdown = [=](std::size_t n, const Case& spec) { return n == 20 ? 2.0 : alternating(n, spec); };
  const auto roofs = fit_roofs(machine.measure(random));
  for (int op = 0; op < 8; ++op)
    EXPECT_NEAR(roofs[static_cast<std::size_t>(op)].value / TwoSpeeds::full_speed(op), 1, 0.03) << op;
}

// One visit of an operation is slow in the faster state, and another one is fast in the slower state.
TEST(States, StrayVisitsDoNotHideThatAFigureHasTwo) {
  Generator random(9);
  TwoSpeeds machine = slow_during(40, 90);
  const auto alternating = machine.slowdown;
  constexpr std::size_t slow_stray = 13 + 2, fast_stray = 5 * 13 + 2;
  machine.slowdown = [=](std::size_t n, const Case& spec) {
    return n == slow_stray || n == fast_stray ? 3.0 - alternating(n, spec) : alternating(n, spec);
  };
  const Roof roof = fit_roofs(machine.measure(random))[2];
  EXPECT_NEAR(roof.value / TwoSpeeds::full_speed(2), 1, 0.03);
  EXPECT_FALSE(roof.remarks.empty());
}

TEST(States, NoiseIsNoState) {
  Generator random(4);
  std::exponential_distribution<double> slower(4);
  TwoSpeeds machine;
  for (const double noise : {0.01, 0.05, 0.2}) {
    machine.noise = noise;
    for (int i = 0; i < 200; ++i) {
      machine.rounds = i % 2 == 0 ? 6 : 9;
      machine.slowdown = [](std::size_t, const Case&) { return 1.0; };
      EXPECT_TRUE(states_of(machine.measure(random)).clusters.empty()) << noise;
      machine.slowdown = [&](std::size_t, const Case&) { return 1 + slower(random); };
      EXPECT_TRUE(states_of(machine.measure(random)).clusters.empty()) << noise << ", skewed";
    }
  }
}

TEST(States, GroupsThatDoNotChangeAtTheSameTimesAreNoState) {
  Generator random(5);
  std::bernoulli_distribution slow(0.5);
  TwoSpeeds machine;
  machine.slowdown = [&](std::size_t, const Case&) { return slow(random) ? 2.0 : 1.0; };
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(states_of(machine.measure(random)).clusters.empty());
}

// The far memory of some machines has the higher bandwidth and the higher latency.
TEST(States, LatenciesThatChangeTheOtherWayDoNotHideTheState) {
  Generator random(8);
  TwoSpeeds machine = slow_during(30, 80);
  const auto bandwidths = machine.slowdown;
  machine.slowdown = [=](std::size_t n, const Case& spec) {
    return spec.kind == Kind::latency ? (n >= 30 && n <= 80 ? 1.0 : 2.0) : bandwidths(n, spec);
  };
  const auto roofs = fit_roofs(machine.measure(random));
  for (int op = 0; op < 8; ++op)
    EXPECT_NEAR(roofs[static_cast<std::size_t>(op)].value / TwoSpeeds::full_speed(op), 1, 0.03) << op;
  EXPECT_NEAR(roofs.back().value * TwoSpeeds::full_speed(12), 2, 0.06) << "the latency of the same state";
}

// A variant that lost its race after two visits, both in the other state.
TEST(States, AFigureOfTheOtherStateIsNoRoofBesideOneOfTheReported) {
  Generator random(9);
  std::vector<Sample> samples = slow_during(0, 25).measure(random);  // the first two rounds
  std::vector<Sample> kept;
  for (Sample& sample : samples) {
    if (sample.spec.op == Operation("op7")) sample.spec.op = Operation("op6"), sample.spec.kernel = "loser";
    if (sample.spec.kernel != "loser" || sample.round < 2) kept.push_back(sample);
  }
  const auto roofs = fit_roofs(kept);
  Case like;
  like.kind = Kind::bandwidth;
  like.cluster = 0;
  like.op = Operation("op6");
  const auto loser = std::ranges::find(roofs, "loser", [](const Roof& roof) { return roof.spec.kernel; });
  EXPECT_TRUE(loser->other_state);
  EXPECT_NE(joined_sentences(loser->remarks).find("not measured while"), std::string::npos);
  EXPECT_EQ(best_roof(roofs, like)->spec.kernel, "") << "the loser is faster";
}

TEST(States, CasesOfOneCacheAndSizeMayShareSlowAddresses) {
  Generator random(10);
  TwoSpeeds machine;
  machine.slowdown = [](std::size_t n, const Case& spec) {
    return is_first_cache(spec.level) && n / 13 % 3 == 0 ? 1.4 : 1.0;
  };
  EXPECT_TRUE(states_of(machine.measure(random)).clusters.empty());
}

TEST(States, EveryClusterHasItsOwn) {
  Generator random(6);
  std::vector<Sample> samples = slow_during(30, 80).measure(random);
  for (Sample other : slow_during(1000, 1000).measure(random)) {
    other.spec.cluster = 1;
    samples.push_back(other);
  }
  const States states = states_of(samples);
  EXPECT_EQ(states.clusters, std::set<int>{0});
  for (const auto& [visit, unused] : states.reported) EXPECT_EQ(visit->spec.cluster, 0);
}

TEST(States, InvalidVisitsDoNotCount) {
  Generator random(7);
  std::vector<Sample> samples = slow_during(30, 80).measure(random);
  for (Sample& sample : samples) sample.status = Status::invalid;
  EXPECT_TRUE(states_of(samples).clusters.empty());
  EXPECT_TRUE(find_states({}).clusters.empty());
}

}  // namespace
}  // namespace gable::model
