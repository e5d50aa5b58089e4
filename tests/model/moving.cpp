// The effect of other places for the data of points with a known bottleneck, on the LARM paper's table 2.

#include "tests/model/moving.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "base/error.hpp"
#include "model/points/extreme_memory.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

constexpr double near_gb = 36.1, remote_gb = 17.5;

// The roofs have idle latencies of cluster 0: 90 ns of its node, others of node 1.
Roofs with_latencies(double far_ns = 130) {
  Roofs roofs = joe0::roofs();
  for (const auto& [node, ns] : {std::pair{0, 90.0}, {1, far_ns}}) {
    roofs.roofs.push_back(joe0::bandwidth(0, "memory", node == 0 ? "local" : "remote", node, ns));
    roofs.roofs.back().spec.kind = Kind::latency;
    roofs.roofs.back().spec.op = operations::chase;
    roofs.roofs.back().unit = "ns";
  }
  return roofs;
}

bool contains(const Forecast& found, double ratio) {
  return found.ratio_lo <= ratio && ratio <= found.ratio_hi;
}

TEST(Moving, WhatTheMemoryBindsFollowsItsRoofs) {
  const Forecast home = move_point(joe0::roofs(), on_node(0.98 * remote_gb, 1, true), {{0, 1.0}});
  EXPECT_NEAR(home.ratio, remote_gb / near_gb, 0.05);
  EXPECT_TRUE(contains(home, remote_gb / near_gb));
  const Forecast away = move_point(joe0::roofs(), on_node(0.98 * near_gb, 0, true), {{1, 1.0}});
  EXPECT_NEAR(away.ratio, near_gb / remote_gb, 0.1);
  EXPECT_LT(away.ratio_hi / away.ratio_lo, 2);
}

TEST(Moving, WithoutKnowingTheMemorysTimeItIsBetweenNothingAndTheRatio) {
  const Forecast faster = move_point(with_latencies(), on_node(140, 1, true), {{0, 1.0}});
  EXPECT_TRUE(contains(faster, 1));
  EXPECT_LT(faster.ratio_lo, 1.1 * remote_gb / near_gb);
  EXPECT_LT(faster.ratio_hi, 1.1);
  const Forecast slower = move_point(with_latencies(), on_node(140, 0, true), {{1, 1.0}});
  EXPECT_TRUE(contains(slower, 1));
  EXPECT_GT(slower.ratio_hi, 0.9 * near_gb / remote_gb);
  EXPECT_GT(slower.ratio_lo, 0.9);
}

// Loads that wait for each other follow the latencies, which may change more than the bandwidths.
TEST(Moving, WhatNoRoofBindsMayFollowTheLatencies) {
  const Roofs roofs = with_latencies(260);
  EXPECT_TRUE(contains(move_point(roofs, on_node(2, 0, true), {{1, 1.0}}), 260.0 / 90));
  EXPECT_TRUE(contains(move_point(roofs, on_node(2, 1, true), {{0, 1.0}}), 90.0 / 260));
  const Forecast bound = move_point(roofs, on_node(0.98 * near_gb, 0, true), {{1, 1.0}});
  EXPECT_LT(bound.ratio_hi, 260.0 / 90) << "bandwidth binds it";
}

// A latency of another node says nothing of this one.
TEST(Moving, WithoutALatencyOfTheNodeItIsNotKnown) {
  Roofs roofs = with_latencies();
  std::erase_if(roofs.roofs,
                [](const Roof& roof) { return roof.spec.kind == Kind::latency && roof.spec.node == 1; });
  const Forecast found = move_point(roofs, on_node(2, 0, true), {{1, 1.0}});
  EXPECT_EQ(found.status, Status::skipped);
  EXPECT_NE(found.reason.find("latency of memory node 1"), std::string::npos) << found.reason;
  Point chase = program(0, 64e9, 0, 1, {bytes("memory", 64e9, 0, 0, 64e9)});
  EXPECT_EQ(move_point(roofs, chase, {{1, 1.0}}).status, Status::skipped);
  EXPECT_EQ(move_point(with_latencies(), chase, {{1, 1.0}}).status, Status::ok);
}

// Random lines may lose more than bandwidth and latency do.
TEST(Moving, WhatNoRoofBindsMayFollowTheRatesOfRandomLoads) {
  Roofs roofs = with_latencies();
  for (const auto& [node, rate] : {std::pair{0, 200.0}, {1, 40.0}, {2, 40.0}, {3, 40.0}}) {
    roofs.roofs.push_back(joe0::bandwidth(0, "memory", node == 0 ? "local" : "remote", node, rate));
    roofs.roofs.back().spec.kind = Kind::random;
    roofs.roofs.back().spec.op = operations::random;
    roofs.roofs.back().unit = "M/s";
  }
  EXPECT_TRUE(contains(move_point(roofs, on_node(2, 0, true), {{1, 1.0}}), 5));
  EXPECT_FALSE(contains(move_point(with_latencies(), on_node(2, 0, true), {{1, 1.0}}), 5));
}

// A peak comes before the faster memory.
TEST(Moving, NothingIsFasterThanItsPeak) {
  Point point = on_node(0.98 * remote_gb, 1, true);
  point.flops = 150e9;
  const double peak = 150 / (1.99 * 2 * 4 * 7 * 1.7);
  EXPECT_GE(move_point(joe0::roofs(), point, {{0, 1.0}}).ratio, peak);
  Point dgemm = on_node(5, 1, true);
  dgemm.flops = 0.9e9 * 1.99 * 2 * 4 * 7 * 1.7;
  dgemm.fma_flops_percent = 100;
  const Forecast found = move_point(joe0::roofs(), dgemm, {{0, 1.0}});
  ASSERT_EQ(found.status, Status::ok) << "what arithmetic binds waits for no latency";
  EXPECT_GE(found.ratio, 0.9);
}

TEST(Moving, NamesTheRoofThatIsMissing) {
  const Forecast nowhere = move_point(joe0::roofs(), on_node(0.98 * remote_gb, 1, true), {{9, 1.0}});
  EXPECT_EQ(nowhere.status, Status::skipped);
  EXPECT_NE(nowhere.reason.find("node 9"), std::string::npos) << nowhere.reason;
  EXPECT_THROW(move_point(joe0::roofs(), ddot(17), {{0, 1.0}}), Error) << "where its data lies is not known";
}

TEST(Moving, ToWhereItLiesChangesNothing) {
  for (const double gb_per_s : {0.98 * remote_gb, 5.0, 140.0}) {
    const Point point = on_node(gb_per_s, 1, true);
    const Forecast found = move_point(with_latencies(), point, {{1, 1.0}});
    for (const double ratio : {found.ratio, found.ratio_lo, found.ratio_hi})
      EXPECT_NEAR(ratio, 1, 1e-9) << gb_per_s;
  }
}

TEST(Moving, DataThatACacheServesGainsLittle) {
  Roofs roofs = joe0::roofs();
  roofs.levels = {{0, Level::cache(3), 32 << 20, 8 << 20, false, {}}};
  Point point = on_node(30, 0, true);
  point.node_bytes = {{0, 4 << 20}};
  const Forecast found = move_point(roofs, point, {{1, 1.0}});
  EXPECT_LT(found.ratio_hi, 1.1);
  EXPECT_GT(found.ratio_lo, 0.9);
}

// Shares of all data over the nodes mean congestion, not each thread's data on its own node.
TEST(Moving, OverAllNodesIsCongested) {
  const std::map<int, double> all = {{0, .25}, {1, .25}, {2, .25}, {3, .25}};
  const Forecast found = move_point(joe0::roofs(), on_node(0.98 * 16.7, 0, false), all);
  EXPECT_TRUE(contains(found, 16.7 / 18.1));
  Point halves = on_node(10, 0, false);
  halves.node_bytes = {{0, 500}, {1, 500}};
  Point interleaved = halves;
  interleaved.policy = "interleave";
  EXPECT_FALSE(lie_alike(halves, interleaved)) << "each thread's data was on its own node";
  EXPECT_TRUE(lie_alike(interleaved, interleaved));
}

// What is known of the levels only narrows the interval.
TEST(Moving, IntervalsContainWhatAnyBytesByLevelSay) {
  std::mt19937 random(7);
  const auto part = [&] { return std::uniform_real_distribution(0.0, 1.0)(random); };
  const Roofs roofs = with_latencies(200);
  int outside = 0;
  constexpr int draws = 300;
  for (int i = 0; i < draws; ++i) {
    const int from = static_cast<int>(random() % 2);
    const double roof = from == 0 ? near_gb : remote_gb, ns = from == 0 ? 90 : 200;
    Point unknown = on_node((0.02 + 0.75 * part()) * roof, from, true);
    Point known = unknown;
    LevelBytes memory = bytes("memory", part() * roof * 1e9);
    memory.chained = std::min(memory.read, part() * 7 * 64 * 1e9 / ns);
    known.levels = {memory};
    const std::map<int, double> to = {{1 - from, 1.0}};
    const Forecast narrow = move_point(roofs, known, to), wide = move_point(roofs, unknown, to);
    ASSERT_EQ(narrow.status, Status::ok) << narrow.reason;
    ASSERT_EQ(wide.status, Status::ok) << wide.reason;
    if (!contains(wide, narrow.ratio)) ++outside;
  }
  EXPECT_EQ(outside, 0) << "of " << draws;
}

// The verdict says what the forecast says.
TEST(Advice, IsSureWhereTheWholeIntervalIsFaster) {
  const Point point = on_node(0.9 * remote_gb, 1, true);
  const std::string advice = advice_on(joe0::roofs(), point, {0, 2, 3});
  const Forecast home = move_point(joe0::roofs(), point, {{0, 1.0}});
  EXPECT_EQ(advice,
            fmt::format("With its data on node 0 it would be {:.2f} times as fast ({:.2f} to {:.2f}).",
                        1 / home.ratio, 1 / home.ratio_hi, 1 / home.ratio_lo));
}

TEST(Advice, OfWhatMayWaitIsTheMostThatItMayGain) {
  const Point point = on_node(0.5 * near_gb, 1, true);
  Roofs roofs = with_latencies();
  for (Roof& roof : roofs.roofs) {
    if (roof.spec.pattern == Pattern::remote && roof.spec.kind == Kind::bandwidth)
      roof.value = roof.lo = roof.hi = near_gb;
  }
  const Forecast home = move_point(roofs, point, {{0, 1.0}});
  EXPECT_TRUE(contains(home, 90.0 / 130));
  EXPECT_EQ(
      advice_on(roofs, point, {0}),
      fmt::format("With its data on node 0 it could be up to {:.2f} times as fast.", 1 / home.ratio_lo));
}

TEST(Advice, SaysThatOtherPlacesGainLittle) {
  EXPECT_EQ(advice_on(joe0::roofs(), on_node(0.95 * near_gb, 0, true), {1, 2, 3}),
            "Another placement of its data gains little.");
  EXPECT_EQ(advice_on(joe0::roofs(), on_node(0.95 * near_gb, 0, true), {1, 9}), "") << "node 9 is not known";
  EXPECT_EQ(advice_on(joe0::roofs(), on_node(0.95 * near_gb, 0, true), {}), "");
}

// By the bytes of each level, too: a program that the far memory binds, and one that arithmetic does.
TEST(Advice, OfBytesByLevelIsThatOfTheForecast) {
  Point stream = program(1e9, 17e9, 0, 1, {bytes("L2", 17e9), bytes("L3", 17e9), bytes("memory", 17e9)});
  stream.node_bytes = {{1, 1 << 30}};
  EXPECT_TRUE(advice_on(joe0::roofs(), stream, {0}).starts_with("With its data on node 0 it would be "))
      << advice_on(joe0::roofs(), stream, {0});
  Point dgemm =
      program(0.93 * 189.4e9, 300e9, 1e9, 1, {bytes("L2", 60e9), bytes("L3", 20e9), bytes("memory", 2e8)});
  dgemm.fma_flops_percent = 100;
  dgemm.node_bytes = {{1, 1 << 30}};
  EXPECT_EQ(advice_on(joe0::roofs(), dgemm, {0}), "Another placement of its data gains little.");
}

// Counts that the roofs contradict have a forecast, but no advice.
TEST(Advice, IsNotGivenForCountsThatContradictTheRoofs) {
  Point wrong = program(1e9, 60e9, 0, 1, {bytes("L2", 60e9), bytes("L3", 60e9), bytes("memory", 60e9)});
  wrong.node_bytes = {{1, 1 << 30}};
  EXPECT_TRUE(read_point(joe0::roofs(), wrong).contradictory);
  EXPECT_EQ(advice_on(joe0::roofs(), wrong, {0}), "");
}

// One thread, and roofs of seven: estimates of them are no advice.
TEST(Advice, IsOfMeasuredRoofsOnly) {
  Roofs roofs = with_latencies();
  roofs.roofs.push_back(joe0::bandwidth(0, "memory", "local", 0, 12));
  roofs.roofs.back().spec.threads = 1;
  roofs.machine_cores = {{0, 7}};
  Point point = on_node(11.4, 0, true);
  point.threads = 1;
  EXPECT_EQ(advice_on(roofs, point, {1}).find("times as fast"), std::string::npos);
}

// Each of two clusters has a node of DRAM and one of HBM; the figures of cluster 0 are read.
Roofs two_tiers() {
  Roofs roofs;
  for (const auto& [pattern, dram, hbm] : {std::tuple{"local", 36.0, 150.0},
                                           {"local_all", 30.0, 120.0},
                                           {"contended", 15.0, 60.0},
                                           {"congested", 20.0, 100.0}}) {
    const bool one_node = std::string(pattern) != "congested";
    for (const auto& [tier, node, gb_per_s] : {std::tuple{"DRAM", 0, dram}, {"HBM", 1, hbm}}) {
      for (const int cluster : {0, 1}) {
        const int its_node = one_node ? node + 2 * cluster : -1;
        roofs.roofs.push_back(joe0::bandwidth(cluster, "memory", pattern, its_node, gb_per_s));
        roofs.roofs.back().spec.tier = *tiers_named(tier);
      }
    }
  }
  return roofs;
}

TEST(ExtremeMemory, OfAllClustersIsEachClustersOwnNode) {
  const Point point = on_node(15, 0, false);
  EXPECT_EQ(extreme_memory(two_tiers(), point, true).name(), "HBM node 1, local, all clusters busy (load)");
  EXPECT_EQ(extreme_memory(two_tiers(), point, false).name(), "DRAM node 0, local, all clusters busy (load)");
}

// Clusters of P and of E cores: what one of them reaches alone is no roof while both are busy.
TEST(ExtremeMemory, OfAllClustersOnOneNodeIsContended) {
  Roofs roofs;
  for (const int cluster : {0, 1}) {
    roofs.roofs.push_back(joe0::bandwidth(cluster, "memory", "local", 0, 36));
    roofs.roofs.push_back(joe0::bandwidth(cluster, "memory", "contended", 0, 20));
  }
  for (const bool fastest : {true, false})
    EXPECT_EQ(extreme_memory(roofs, on_node(18, 0, false), fastest).pattern, Pattern::contended);
}

TEST(ExtremeMemory, AloneIsTheNodeWithTheHighestOrLowestRoof) {
  const Point point = on_node(0.98 * remote_gb, 1, true);
  EXPECT_EQ(extreme_memory(joe0::roofs(), point, true).node, 0);
  EXPECT_EQ(extreme_memory(joe0::roofs(), point, false).node, 3);
}

// All clusters at once, half of the data in either tier.
TEST(Limits, AMixOfTiersLiesBetweenItsSumAndItsLongest) {
  Roofs roofs;
  for (const auto& [pattern, node, tier, gb_per_s] : {std::tuple{"local", 0, "DRAM", 36.0},
                                                      {"local", 1, "HBM", 150.0},
                                                      {"local_all", 0, "DRAM", 30.0},
                                                      {"local_all", 1, "HBM", 120.0},
                                                      {"contended", 0, "DRAM", 20.0},
                                                      {"contended", 1, "HBM", 100.0}}) {
    roofs.roofs.push_back(joe0::bandwidth(0, "memory", pattern, node, gb_per_s));
    roofs.roofs.back().spec.tier = *tiers_named(tier);
  }
  Point point = ddot(10);
  point.alone = false;
  const auto mixes = memory_limits(roofs, point, 0, {{0, 0.5}, {1, 0.5}}, {});
  ASSERT_EQ(mixes.size(), 2u);
  for (const auto& [mix, dram, hbm] : {std::tuple{mixes[0], 20.0, 100.0}, {mixes[1], 30.0, 120.0}}) {
    EXPECT_EQ(mix.kind, Limit::Kind::hybrid);
    EXPECT_NEAR(mix.lo, 1 / (0.5 / dram + 0.5 / hbm), 1e-9);
    EXPECT_NEAR(mix.value, dram / 0.5, 1e-9);
    EXPECT_EQ(mix.threads, 7);
    EXPECT_FALSE(mix.fitted);
  }
}

}  // namespace
}  // namespace gable::model
