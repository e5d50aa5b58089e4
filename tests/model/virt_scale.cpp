// Noise at scale against closed forms, and the two ways of simulating against each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "model/virt/scale.hpp"
#include "tests/draws.hpp"

namespace {

using namespace gable::model;

// Without a network, a run's slowdown is 1 + the expected largest delay / compute.
ScaleOptions only_compute(double compute) {
  ScaleOptions options;
  options.compute = compute;
  options.latency = options.overhead = 0;
  return options;
}

// Expected largest of `nodes` exponentially distributed delays.
double largest_exponential(double mean, int nodes) {
  double sum = 0;
  for (int i = 1; i <= nodes; ++i) sum += 1.0 / i;
  return mean * sum;
}

// Expected largest delay of `nodes` pieces of `work` seconds under a detour of `length` every `period`
// seconds (length < period), each at a random time.
double largest_periodic(double work, double period, double length, int nodes) {
  // A start lies in a detour with the chance length / period. In computed time, detours are period - length
  // apart: work meets floor(work / apart) of them, or one more with the chance of the fraction. A start
  // within a detour has what is left of it as well, and meets floor(work / apart) more.
  const double apart = period - length, whole = std::floor(work / apart), more = work / apart - whole;
  constexpr int steps = 20'000;
  const double most = (whole + 1) * length;
  double mean = 0;
  for (int i = 0; i < steps; ++i) {  // the integral of 1 - F^nodes
    const double x = (i + 0.5) / steps * most;
    const double in_computed = x < whole * length ? 0 : x < (whole + 1) * length ? 1 - more : 1;
    const double left = std::clamp((x - whole * length) / length, 0.0, 1.0);
    const double chance = (1 - length / period) * in_computed + length / period * left;
    mean += (1 - std::pow(chance, nodes)) * most / steps;
  }
  return mean;
}

// The mean slowdown of several runs in which each node goes through the record from a place of its own.
double every_node(const NoiseTrace& trace, int nodes, double work, int steps, int runs) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> places(0, trace.seconds());
  double sum = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> at(static_cast<std::size_t>(nodes));
    for (double& each : at) {
      do each = places(random);
      while (trace.delay(each, 1e-9) > 0);  // in a detour
    }
    double now = 0;
    for (int step = 0; step < steps; ++step) {
      double longest = 0;
      for (const double each : at)
        longest = std::max(longest, trace.delay(std::fmod(each + now, trace.seconds()), work));
      now += work + longest;
    }
    sum += now / (work * steps);
  }
  return sum / runs;
}

TEST(VirtScale, DelaysOfARecord) {
  const NoiseTrace trace(0.01, {{1000, 500}, {4000, 1000}});  // of 10 ms, 1.5 ms are lost
  EXPECT_DOUBLE_EQ(trace.share(), 0.15);
  EXPECT_NEAR(trace.delay(0, 0.0005), 0, 1e-12);
  EXPECT_NEAR(trace.delay(0, 0.002), 0.0005, 1e-12);
  EXPECT_NEAR(trace.delay(0.0012, 0.001), 0.0003, 1e-12);  // begins within the first one
  EXPECT_NEAR(trace.delay(0.0045, 0.001), 0.0005, 1e-12);
  EXPECT_NEAR(trace.delay(0.006, 0.005), 0.0005, 1e-12);  // over the end into the next pass
  EXPECT_NEAR(trace.delay(0.002, 0.0085), 0.0015, 1e-12);
  EXPECT_NEAR(trace.delay(0.002, 85), 15, 1e-9);
  EXPECT_EQ(trace.age(0.0009), 0);
  EXPECT_NEAR(trace.age(0.0014), 0.0004, 1e-12);
  EXPECT_EQ(trace.age(0.0016), 0);
  EXPECT_NEAR(trace.age(0.0045), 0.0005, 1e-12);
  EXPECT_EQ(trace.age(0.0051), 0);
}

TEST(VirtScale, FixedPeriodNoiseHasItsClosedForm) {
  const double period = 0.037, share = 0.03;
  const NoiseTrace trace = periodic_trace(share, period);
  const ScaleOptions options = only_compute(0.01);
  for (const ScalePoint& point : scale({trace}, options, {1, 8, 64, 65, 1024, 100'000})) {
    const double expected = 1 + largest_periodic(0.01, period, share * period, point.nodes) / 0.01;
    EXPECT_NEAR(point.slowdown.value, expected, 0.02 * expected) << point.nodes;
  }
  // One detour falls into every step on many nodes: that of the paper's note on absolute overheads.
  const auto far = scale({trace}, options, {100'000}).front().slowdown.value;
  EXPECT_NEAR(far, 1 + share * period / 0.01, 0.01);
}

// Detours longer than a step, and rarer: each delays all nodes once, however many steps it would have taken.
TEST(VirtScale, LongDetoursAreThoseOfEveryNodeSimulated) {
  const NoiseTrace periodic = periodic_trace(0.01, 10), random = random_trace(0.025, 2, 20'000);
  for (const NoiseTrace* trace : {&periodic, &random}) {
    double before = 1;
    for (const int nodes : {16, 64, 65, 256, 1024}) {
      const ScalePoint point = scale({*trace}, only_compute(0.01), {nodes}).front();
      const double expected =
          every_node(*trace, nodes, 0.01, 1000, std::max(2, gable::tests::draws(1024, 4096) / nodes));
      EXPECT_NEAR(point.slowdown.value / expected, 1, 0.06) << nodes;
      EXPECT_GT(point.slowdown.value, 0.97 * before) << nodes;
      before = point.slowdown.value;
    }
  }
}

TEST(VirtScale, RareDetoursAreMissedByNoPart) {
  for (const double period : {1.0, 10.0}) {
    // Somebody is always in a detour: all wait for its whole length at every step.
    const ScalePoint point = scale({periodic_trace(0.01, period)}, only_compute(0.01), {100'000}).front();
    EXPECT_NEAR(point.slowdown.value, 1 + period, 0.01 * period);
    EXPECT_NEAR(point.slowdown.lo, 1 + period, 0.01 * period);
  }
  // Recorded: one detour of 20 ms in 20 s. Whether that is its rate is less sure than the value.
  const NoiseTrace trace(20, {{7e6, 20'000}});
  const ScalePoint point = scale({trace}, only_compute(0.01), {100'000}).front();
  EXPECT_NEAR(point.slowdown.value, 3, 0.01);
  EXPECT_LT(point.slowdown.lo, 1.5);
}

TEST(VirtScale, ExponentialNoiseHasItsClosedForm) {
  // Detours are so rare that no step of a node has two: it has one by the chance p, of exponential length.
  // The largest of N has the expectation sum over k of binomial(N, k) p^k (1-p)^(N-k) * mean * H_k.
  const double period = 0.2, share = 0.001, work = 0.01;
  const NoiseTrace trace = random_trace(share, period, 4000);
  const double length = share * period / (1 - share);
  for (const ScalePoint& point : scale({trace}, only_compute(work), {16, 256, 4096})) {
    const double p = work / period;
    double expected = 0, chance = std::pow(1 - p, point.nodes);
    for (int k = 1; k <= point.nodes && k < 2000; ++k) {
      chance *= (point.nodes - k + 1.0) / k * p / (1 - p);
      expected += chance * largest_exponential(length, k);
    }
    EXPECT_NEAR(point.slowdown.value, 1 + expected / work, 0.02 * (1 + expected / work)) << point.nodes;
    EXPECT_NEAR((point.slowdown.value - 1) / (expected / work), 1, 0.15) << point.nodes;
  }
}

TEST(VirtScale, BothWaysAgreeWhereTheyMeet) {
  const NoiseTrace trace = random_trace(0.02, 0.05, 200);
  for (const bool tree : {false, true}) {
    ScaleOptions options;
    options.tree = tree;
    const auto points = scale({trace}, options, {exact_nodes, exact_nodes + 1});
    EXPECT_NEAR(points[0].slowdown.value, points[1].slowdown.value, 0.02 * points[0].slowdown.value);
    EXPECT_LE(points[1].slowdown.lo, points[1].slowdown.value);
  }
}

TEST(VirtScale, StrongScalingAndLimits) {
  ScaleOptions options;
  options.strong = true;
  const auto points = scale({periodic_trace(0.0022, 0.004)}, options, doubled_up_to(1000));
  EXPECT_EQ(points.back().nodes, 1000);
  EXPECT_LT(points.back().quiet, points.front().quiet);
  EXPECT_GT(points.back().slowdown.value, points.front().slowdown.value);
  EXPECT_FALSE(scale({NoiseTrace(1, {})}, {}, {90}).front().beyond_record);
  EXPECT_TRUE(scale({NoiseTrace(1, {})}, {}, {1000}).front().beyond_record);
  EXPECT_EQ(scale({NoiseTrace(1, {})}, {}, {1000}).front().slowdown.value, 1);
}

TEST(VirtScale, EveryPointSaysOfHowManyRunsItIs) {
  const auto curve = scale({random_trace(0.01, 0.01, 4000)}, only_compute(0.01), {2, 100'000});
  EXPECT_EQ(curve.front().slowdown.n, 20) << "every node simulated";
  EXPECT_EQ(curve.back().slowdown.n, 60) << "the largest delay drawn";
}

TEST(VirtScale, TheWholeCurveIsSoonThere) {
  const std::clock_t cpu = std::clock();
  const auto points = scale({random_trace(0.02, 0.004, 20)}, {}, doubled_up_to(100'000));
  EXPECT_EQ(points.size(), 18u);
  EXPECT_GT(points.back().slowdown.value, points.front().slowdown.value);
  EXPECT_LT(static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC, 10) << "limit of the specification";
}

// Every delay of work that begins at any time of a period, longer and shorter than what lies between detours.
TEST(VirtScale, TheLargestPeriodicDelayIsThatOfARecord) {
  const double period = 0.02, length = 0.004;
  const NoiseTrace trace = periodic_trace(length / period, period);
  for (const double work : {0.05, 0.008, 0.034}) {
    constexpr int starts = 4000;
    std::vector<double> delays;
    for (int i = 0; i < starts; ++i) delays.push_back(trace.delay((i + 0.5) / starts * period, work));
    std::ranges::sort(delays);
    for (const int nodes : {1, 2, 9, 300}) {
      double mean = 0;
      for (int i = 0; i < starts; ++i)
        mean += delays[static_cast<std::size_t>(i)] *
                (std::pow((i + 1.0) / starts, nodes) - std::pow(1.0 * i / starts, nodes));
      EXPECT_NEAR(largest_periodic(work, period, length, nodes), mean, 0.01 * mean) << work << " " << nodes;
    }
  }
}

}  // namespace
