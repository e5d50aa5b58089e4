// The binding roof of points with a known bottleneck: the cases of the LARM paper's figure
// 5 on its table 2, and invalid figures.

#include "model/points/binding.hpp"

#include <gtest/gtest.h>

#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

Point everywhere(double gb_per_s, const char* policy) {
  Point point = ddot(gb_per_s);
  point.alone = false;
  point.policy = policy;
  point.node_bytes = {{0, 100}, {1, 100}, {2, 100}, {3, 100}};
  return point;
}

TEST(Binding, FirstTouchStandsUnderTheLocalRoof) {
  const Reading reading = read_point(joe0::roofs(), everywhere(0.95 * 36.1, "first-touch"));
  EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
  EXPECT_NEAR(reading.headroom_percent, 100 / 0.95 - 100, 1e-9);
  EXPECT_NEAR(reading.flop_per_byte, 0.125, 1e-12);
  EXPECT_NEAR(reading.gflop_per_s, 0.95 * 36.1 / 8, 1e-9);
}

TEST(Binding, InterleaveStandsUnderTheCongestedRoof) {
  const Reading reading = read_point(joe0::roofs(), everywhere(0.97 * 18.1, "interleave"));
  EXPECT_EQ(reading.roof, "DRAM all nodes, congested (load)");
  EXPECT_TRUE(says(reading, "congestion")) << reading.verdict.text();
}

// The pages of each thread are then on all these nodes, so no thread has its data on its own node.
TEST(Binding, InterleaveOverNamedNodesAndWeightsIsInterleave) {
  const double at_local_nodes = 0.95 * 36.1;
  const std::string cause =
      read_point(joe0::roofs(), everywhere(at_local_nodes, "interleave")).verdict.text();
  for (const char* policy : {"interleave:0,1,2,3", "weighted", "weighted:0=1,1=1,2=1,3=1"})
    EXPECT_EQ(read_point(joe0::roofs(), everywhere(at_local_nodes, policy)).verdict.text(), cause) << policy;
  EXPECT_NE(read_point(joe0::roofs(), everywhere(at_local_nodes, "first-touch")).verdict.text(), cause);
}

TEST(Binding, NodeZeroIsContendedAndDiffersBetweenClusters) {
  Point point = on_node(0.98 * 16.7, 0, false);
  point.policy = "bind:0";
  const Reading first = read_point(joe0::roofs(), point);
  EXPECT_EQ(first.roof, "DRAM node 0, contended (load)");
  EXPECT_NEAR(first.reached_percent, 98, 1e-9);
  EXPECT_TRUE(says(first, "contention for node 0 binds it")) << first.verdict.text();
  point = on_node(0.98 * 8.3, 0, false);
  point.cluster = 1;
  const Reading second = read_point(joe0::roofs(), point);
  EXPECT_EQ(second.roof, "DRAM node 0, contended (load)");
  EXPECT_NEAR(second.limit.value, 8.3, 1e-12);
}

TEST(Binding, RemoteMemoryIsNamed) {
  const Reading reading = read_point(joe0::roofs(), on_node(0.98 * 17.5, 1, true));
  EXPECT_EQ(reading.roof, "DRAM node 1, remote (load)");
  EXPECT_TRUE(says(
      reading, "remote memory binds it: it reaches 98 % of the bandwidth of cluster 0 from node 1 (DRAM)"))
      << reading.verdict.text();
}

TEST(Binding, FasterThanItsMemoryIsServedByCaches) {
  const Reading reading = read_point(joe0::roofs(), on_node(140, 1, true));
  EXPECT_EQ(reading.roof, "L3 (load)");
  EXPECT_TRUE(says(reading, "faster than the memory that holds its data, so caches serve it"))
      << reading.verdict.text();
  EXPECT_FALSE(says(reading, "times as fast")) << reading.verdict.text();
}

// A quarter of the bytes from node 1, the rest from L3, one after the other.
TEST(Binding, BetweenMemoryAndCacheSaysWhichMixTakesAsLong) {
  const Reading cached = read_point(joe0::roofs(), on_node(140, 1, true));
  const double memory = 17.5, cache = cached.limit.value;
  const double mixed = 1 / (0.25 / memory + 0.75 / cache);
  const Reading reading = read_point(joe0::roofs(), on_node(mixed, 1, true));
  EXPECT_EQ(reading.roof, "") << "either may limit it";
  EXPECT_TRUE(says(reading, "25 % of its bytes come from that memory and the rest from L3"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "state it with --level-bytes")) << reading.verdict.text();
  EXPECT_FALSE(says(reading, "no bandwidth or peak explains it")) << reading.verdict.text();
}

TEST(Binding, FarBelowEveryRoofIsNotBlamedOnBandwidth) {
  const Point point = on_node(2, 0, true);
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
  EXPECT_TRUE(says(reading, "no bandwidth or peak explains it")) << reading.verdict.text();
  EXPECT_FALSE(says(reading, "binds")) << reading.verdict.text();
}

TEST(Binding, AlmostNothingIsNotNothing) {
  EXPECT_TRUE(says(read_point(joe0::roofs(), on_node(0.1, 0, true)), "reaches less than 1 % of"));
}

TEST(Binding, AStarvedPointIsNotBlamedOnWaiting) {
  Point point = on_node(2, 0, true);
  point.other_cpus = 1.9;
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(reading, "Other processes or guests had 1.9 CPUs while it was timed"))
      << reading.verdict.text();
  EXPECT_FALSE(says(reading, "look for waiting")) << reading.verdict.text();
}

TEST(Binding, UnknownPlacementIsSaid) {
  const Reading reading = read_point(joe0::roofs(), ddot(0.97 * 17.5));
  EXPECT_EQ(reading.roof, "DRAM node 1, remote (load)");
  EXPECT_TRUE(says(reading, "Where its data lies is not known")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "remote memory may bind it")) << reading.verdict.text();
  EXPECT_NEAR(reading.headroom_hi, 100 * (36.1 / (0.97 * 17.5) - 1), 1e-9);
  EXPECT_TRUE(says(read_point(joe0::roofs(), ddot(0.97 * 36.1)), "local memory binds it")) << "the highest";
}

// A replay moves pages, and does not record where they are.
TEST(Binding, ASimulatedPointWithoutALocationHasNoVerdict) {
  Point point = everywhere(2 * 8, "");
  point.cluster = -1;
  EXPECT_NE(read_point(joe0::roofs(), point).roof, "");
  point.simulated = true;
  EXPECT_NE(read_point(joe0::roofs(), point).roof, "") << "its location is known";
  point.node_bytes.clear();
  const Reading unknown = read_point(joe0::roofs(), point);
  EXPECT_EQ(unknown.roof, "");
  EXPECT_TRUE(says(unknown, "is simulated, and where its data lies")) << unknown.verdict.text();
  EXPECT_FALSE(says(unknown, "bind")) << unknown.verdict.text();
  Roofs one_memory = joe0::roofs();
  std::erase_if(one_memory.roofs, [](const Roof& roof) {
    return is_memory(roof.spec.level) && (roof.spec.node != 0 || roof.spec.pattern != Pattern::local);
  });
  point.load_bytes = 2 * 36e9;
  EXPECT_EQ(read_point(one_memory, point).roof, "DRAM node 0, local (load)");
  point.load_bytes = 1e9;
  point.flops = 2 * 0.95 * 189.4e9;
  EXPECT_EQ(read_point(joe0::roofs(), point).roof, "FMA DP") << "arithmetic binds it anywhere";
}

TEST(Binding, APointAtTheLowerEndOfAWideIntervalMayBeBound) {
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) roof.lo = 0.5 * roof.value;
  const Reading there = read_point(roofs, on_node(0.5 * 36.1, 0, true));
  EXPECT_NEAR(there.reached_percent, 50, 1e-9);
  EXPECT_TRUE(says(there, "local memory may bind it") && says(there, "whose interval is 18.1 to 36.1 GB/s"))
      << there.verdict.text();
  const Reading below = read_point(roofs, on_node(0.39 * 36.1, 0, true));
  EXPECT_FALSE(says(below, "may bind")) << below.verdict.text();
}

TEST(Binding, StandingAtARoofIsNoHeadroomAndAboveAllIsNoRoof) {
  const Reading at = read_point(joe0::roofs(), on_node(1.02 * 36.1, 0, true));
  EXPECT_EQ(at.roof, "DRAM node 0, local (load)");
  EXPECT_EQ(at.headroom_percent, 0);
  const Reading above = read_point(joe0::roofs(), on_node(2000, 0, true));
  EXPECT_EQ(above.roof, "");
  EXPECT_TRUE(says(above, "is above every roof")) << above.verdict.text();
  Point everyones = everywhere(3, "interleave");
  everyones.cluster = -1;
  EXPECT_NEAR(read_point(Roofs{}, everyones).gb_per_s, 3, 1e-9);
  const Reading none = read_point(Roofs{}, ddot(3));
  EXPECT_EQ(none.roof, "");
  EXPECT_TRUE(says(none, "no roofs of cluster 0")) << none.verdict.text();
}

TEST(Binding, AnInvalidRoofBindsNothing) {
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) {
    if (roof.spec.pattern == Pattern::local) roof.status = Status::invalid;
  }
  const Reading reading = read_point(roofs, on_node(30, 0, true));
  EXPECT_EQ(reading.roof, "");
  EXPECT_TRUE(says(reading, "no roof of cluster 0 is known for where its data lies"))
      << reading.verdict.text();
}

}  // namespace
}  // namespace gable::model
