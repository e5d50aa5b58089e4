// The effect of a move on points with a known bottleneck, on the LARM paper's table 2.

#include "model/points/move.hpp"
#include "base/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

Roofs with_intervals(double least, double most) {
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) {
    roof.lo *= least;
    roof.hi *= most;
  }
  return roofs;
}

// The roofs have idle latencies of cluster 0: 90 ns of its node, 130 ns of node 1.
Roofs with_latencies() {
  Roofs roofs = joe0::roofs();
  for (const auto& [node, ns] : {std::pair{0, 90.0}, {1, 130.0}}) {
    roofs.roofs.push_back(joe0::bandwidth(0, "memory", node == 0 ? "local" : "remote", node, ns));
    roofs.roofs.back().spec.kind = Kind::latency;
    roofs.roofs.back().spec.op = operations::chase;
    roofs.roofs.back().unit = "ns";
  }
  return roofs;
}

TEST(Move, ToTheLocalNodeGivesTheRoofsRatio) {
  const Move move = move_point(joe0::roofs(), on_node(0.98 * 17.5, 1, true), {{0, 1.0}});
  EXPECT_TRUE(move.memory_bound);
  EXPECT_NEAR(move.factor, 36.1 / 17.5, 1e-9);
  EXPECT_NEAR(move.seconds, 17.5 / 36.1, 1e-9);
  EXPECT_EQ(move.factor_lo, move.factor_hi);
}

TEST(Move, WithoutKnowingTheMemoryTrafficBetweenNothingAndTheRatio) {
  const Move faster = move_point(with_latencies(), on_node(140, 1, true), {{0, 1.0}});
  EXPECT_FALSE(faster.memory_bound);
  EXPECT_TRUE(faster.latency_known);
  EXPECT_EQ(faster.factor_lo, 1);
  EXPECT_NEAR(faster.factor_hi, 36.1 / 17.5, 1e-9);
  const Move slower = move_point(with_latencies(), on_node(140, 0, true), {{1, 1.0}});
  EXPECT_NEAR(slower.factor_lo, 17.5 / 36.1, 1e-9);
  EXPECT_EQ(slower.factor_hi, 1);
}

// Loads that wait for each other follow the latencies, which may change more than the bandwidths.
TEST(Move, OfAPointThatNoRoofBindsTheRangeHasTheRatioOfTheLatencies) {
  Roofs roofs = with_latencies();
  const auto latency = [&](int node) -> Roof& {
    return *std::find_if(roofs.roofs.begin(), roofs.roofs.end(), [&](const Roof& roof) {
      return roof.spec.kind == Kind::latency && roof.spec.node == node;
    });
  };
  latency(1).value = 260;
  latency(1).lo = 250;
  latency(1).hi = 270;
  EXPECT_NEAR(move_point(roofs, on_node(2, 0, true), {{1, 1.0}}).factor_lo, 90.0 / 270, 1e-9);
  const Move home = move_point(roofs, on_node(2, 1, true), {{0, 1.0}});
  EXPECT_NEAR(home.factor_hi, 270.0 / 90, 1e-9);
  EXPECT_NEAR(home.factor_lo, 1, 1e-9);
  // Half of the data on each node: the mean of both.
  EXPECT_NEAR(move_point(roofs, on_node(2, 0, true), {{0, 0.5}, {1, 0.5}}).factor_lo, 90 / (45 + 135.0),
              1e-9);
  EXPECT_NEAR(move_point(roofs, on_node(0.98 * 36.1, 0, true), {{1, 1.0}}).factor_lo, 17.5 / 36.1, 1e-9)
      << "bandwidth binds it";
  // There is no pair if the latency has another page size.
  latency(1).spec.pages = *pages_named("2m");
  EXPECT_FALSE(move_point(roofs, on_node(2, 0, true), {{1, 1.0}}).latency_known);
  latency(1).spec.pages = {};
  latency(1).status = Status::invalid;
  EXPECT_FALSE(move_point(roofs, on_node(2, 0, true), {{1, 1.0}}).latency_known);
}

// The advice in the list counts the latencies too.
TEST(Move, APointThatMayWaitIsAdvisedByTheLatencies) {
  Roofs roofs = with_latencies();
  for (Roof& roof : roofs.roofs) {
    if (roof.spec.pattern == Pattern::remote && roof.spec.kind == Kind::bandwidth)
      roof.value = roof.lo = roof.hi = 36.1;
  }
  const Reading reading = read_point(roofs, on_node(0.5 * 36.1, 1, true));
  EXPECT_NE(reading.cause.find("on node 0 (DRAM) it could be up to 1.4 times"), std::string::npos)
      << reading.cause;
  const Reading bound = read_point(roofs, on_node(0.9 * 36.1, 1, true));
  EXPECT_EQ(bound.cause.find("times as fast"), std::string::npos) << bound.cause;
}

TEST(Move, APeakComesFirst) {
  Point point = on_node(0.98 * 17.5, 1, true);
  point.flops = 150e9;
  const Move move = move_point(joe0::roofs(), point, {{0, 1.0}});
  EXPECT_NEAR(move.factor, 1.99 * 2 * 4 * 7 * 1.7 / 150, 1e-9);
  EXPECT_EQ(move.stopped_by, "FMA DP");
}

TEST(Move, NamesTheRoofThatIsMissing) {
  EXPECT_THROW(move_point(joe0::roofs(), on_node(17, 1, true), {{9, 1.0}}), Error);
  EXPECT_THROW(move_point(joe0::roofs(), ddot(17), {{0, 1.0}}), Error);
}

// Data that stays in place, with any intervals of the roofs.
TEST(Move, ToWhereItLiesChangesNothing) {
  const Roofs roofs = with_intervals(0.5, 1.5);
  for (const double gb_per_s : {0.98 * 17.5, 5.0, 140.0}) {
    const Point point = on_node(gb_per_s, 1, true);
    const Move move = move_point(roofs, point, {{1, 1.0}});
    EXPECT_TRUE(move.stays);
    EXPECT_EQ(move.factor_lo, 1);
    EXPECT_EQ(move.factor, 1);
    EXPECT_EQ(move.factor_hi, 1);
    EXPECT_EQ(move.seconds, point.seconds);
    EXPECT_EQ(move.stopped_by, "");
  }
  EXPECT_FALSE(move_point(roofs, on_node(17, 1, true), {{0, 1.0}}).stays);
}

TEST(Move, PublishedRoofsHaveNoInterval) {
  EXPECT_FALSE(move_point(joe0::roofs(), on_node(17, 1, true), {{0, 1.0}}).interval);
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) roof.hi *= 1.01;
  EXPECT_TRUE(move_point(roofs, on_node(17, 1, true), {{0, 1.0}}).interval);
}

// Shares of all data over the nodes mean congestion, not each thread's data on its own node.
TEST(Move, OverAllNodesIsCongested) {
  const Move move =
      move_point(joe0::roofs(), on_node(0.98 * 16.7, 0, false), {{0, .25}, {1, .25}, {2, .25}, {3, .25}});
  EXPECT_EQ(move.to.name, "DRAM all nodes, congested (load)");
  EXPECT_NEAR(move.factor, 18.1 / 16.7, 1e-9);
}

// The advice in the list and the prediction have the same value.
TEST(Move, IsWhatTheReadingAdvises) {
  Roofs capped = joe0::roofs();
  for (Roof& roof : capped.roofs) {
    if (roof.spec.pattern == Pattern::cache) roof.value = roof.lo = roof.hi = std::min(roof.value, 22.0);
  }
  for (const Roofs& roofs : {joe0::roofs(), capped}) {
    const Point point = on_node(0.85 * 17.5, 1, true);
    const Move move = move_point(roofs, point, {{0, 1.0}});
    const Reading reading = read_point(roofs, point);
    EXPECT_NE(reading.cause.find(fmt::format("up to {:.1f} times", move.factor)), std::string::npos)
        << reading.cause << move.factor;
  }
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

// What a Point reaches shows how high its present roof is at least, whatever the interval of that roof says.
TEST(Move, NeverGoesAboveTheTargetsRoof) {
  for (const double reached : {0.6, 0.85, 0.95, 1.0, 1.02}) {
    const Point point = on_node(reached * 17.5, 1, true);
    const Move move = move_point(with_intervals(0.5, 1.01), point, {{0, 1.0}});
    const double bytes = point.load_bytes / 1e9;
    EXPECT_LE(bytes / move.seconds_lo, 1.01 * 36.1 * (1 + 1e-9)) << reached;
    EXPECT_LE(bytes / move.seconds, 36.1 * (1 + 1e-9)) << reached;
    EXPECT_LE(move.factor_lo, move.factor);
    EXPECT_LE(move.factor, move.factor_hi);
  }
}

TEST(Move, OfAMixOfTiersNeverGoesAboveTheTargetsRoof) {
  Roofs roofs;
  for (const auto& [node, tier, gb_per_s] : {std::tuple{0, "DRAM", 20.0}, {1, "HBM", 100.0}}) {
    roofs.roofs.push_back(joe0::bandwidth(0, "memory", "contended", node, gb_per_s));
    roofs.roofs.back().spec.tier = *tiers_named(tier);
  }
  // The roof lies between 33 (no overlap) and 40 GB/s (full overlap): a Point of 36 shows that most of it
  // overlaps.
  for (const double gb_per_s : {20.0, 36.0, 40.0, 41.0}) {
    Point point = on_node(gb_per_s, 0, false);
    point.policy = "interleave";
    point.node_bytes = {{0, 500}, {1, 500}};
    for (const auto& [node, roof] : {std::pair{0, 20.0}, {1, 100.0}})
      EXPECT_LE(gb_per_s / move_point(roofs, point, {{node, 1.0}}).seconds_lo, roof * (1 + 1e-9)) << gb_per_s;
  }
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

TEST(Move, OfAllClustersToTheFastTierIsToEachClustersOwnNode) {
  Point point = on_node(15, 0, false);
  const Move contended = move_to_extreme(two_tiers(), point, true);
  EXPECT_EQ(contended.to.name, "HBM node 1, local, all clusters busy (load)");
  EXPECT_NEAR(contended.factor, 120.0 / 15.0, 1e-9);
  EXPECT_EQ(move_to_extreme(two_tiers(), point, false).to.name,
            "DRAM node 0, local, all clusters busy (load)");
  point = on_node(120, 1, false);
  point.node_bytes = {{1, 500}, {3, 500}};
  EXPECT_TRUE(move_to_extreme(two_tiers(), point, true).stays);
  EXPECT_NEAR(move_to_extreme(two_tiers(), point, false).factor, 30.0 / 120.0, 1e-9);
}

// Clusters of P and of E cores: what one of them reaches alone is no roof while both are busy.
TEST(Move, OfAllClustersOnOneNodeIsContended) {
  Roofs roofs;
  for (const int cluster : {0, 1}) {
    roofs.roofs.push_back(joe0::bandwidth(cluster, "memory", "local", 0, 36));
    roofs.roofs.push_back(joe0::bandwidth(cluster, "memory", "contended", 0, 20));
  }
  for (const bool fastest : {true, false})
    EXPECT_TRUE(move_to_extreme(roofs, on_node(18, 0, false), fastest).stays);
}

TEST(Move, AloneToTheFastOrSlowNodeIsToItsRoof) {
  const Point point = on_node(0.98 * 17.5, 1, true);
  EXPECT_NEAR(move_to_extreme(joe0::roofs(), point, true).factor, 36.1 / 17.5, 1e-9);
  EXPECT_NEAR(move_to_extreme(joe0::roofs(), point, false).factor, 14.3 / 17.5, 1e-9);
  EXPECT_TRUE(move_to_extreme(joe0::roofs(), on_node(30, 0, true), true).stays);
}

TEST(Move, OfSharesStaysOnlyUnderTheSamePolicy) {
  Point point = on_node(10, 0, false);
  point.node_bytes = {{0, 500}, {1, 500}};
  const std::map<int, double> halves = {{0, 0.5}, {1, 0.5}};
  EXPECT_FALSE(move_point(joe0::roofs(), point, halves).stays) << "each thread's data was on its own node";
  point.policy = "interleave";
  EXPECT_TRUE(move_point(joe0::roofs(), point, halves).stays);
}

TEST(Move, TheCeilingIsTheRoofThatIsNextAbove) {
  for (const auto& [of_cache, of_peak, gain] : {std::tuple{0.8, 0.5, 1.25}, {0.4, 0.5, 2.0}}) {
    Point point = on_node(of_cache * 760.1, 0, true);
    point.flops = of_peak * 1e9 * 1.99 * 2 * 4 * 7 * 1.7;
    std::string name;
    EXPECT_NEAR(speed_ceiling(joe0::roofs(), point, read_point(joe0::roofs(), point), name), gain, 1e-9);
    EXPECT_EQ(name, of_cache > of_peak ? "L1 (load)" : "FMA DP");
  }
}

}  // namespace
}  // namespace gable::model
