// The binding roof of points that share memories: with other clusters, or spread over several nodes.

#include "model/points/binding.hpp"

#include <gtest/gtest.h>

#include <map>

#include "model/points/limits/mix_limits.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

// Under first touch the other clusters may use their own nodes, or this one too.
TEST(Binding, BesideBusyClustersDataOnTheOwnNodeMayBeTheirsAlone) {
  Point point = on_node(34.8, 0, false);
  for (const char* policy : {"first-touch", ""}) {
    point.policy = policy;
    const Reading reading = read_point(joe0::roofs(), point);
    EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
    EXPECT_TRUE(says(reading, "local memory binds it")) << reading.verdict.text();
  }
  point.policy = "bind:0";  // all clusters use node 0
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "undecided between its memory and L3"));
  Point slower = on_node(16, 0, false);
  slower.policy = "first-touch";
  const Reading either = read_point(joe0::roofs(), slower);
  EXPECT_EQ(either.roof, "DRAM node 0, contended (load)");
  EXPECT_TRUE(says(either, "contention for node 0 may bind it")) << either.verdict.text();
  EXPECT_TRUE(says(either, "its roof may also be DRAM node 0, local (load) (36.1 GB/s)"))
      << either.verdict.text();
  EXPECT_NEAR(either.headroom_lo, 100 * (16.7 / 16 - 1), 1e-9);
  EXPECT_NEAR(either.headroom_hi, 100 * (36.1 / 16 - 1), 1e-9);
  const Reading others_node = read_point(joe0::roofs(), on_node(8, 1, false));
  EXPECT_TRUE(says(others_node, "contention for node 1 binds it")) << others_node.verdict.text();
}

TEST(Binding, EqualSharesOfSeveralNodesAreToldOnce) {
  EXPECT_EQ(shares_text({{0, 0.3}, {1, 0.2}, {2, 0.2}, {3, 0.2}, {5, 0.1}}),
            "30 % on node 0, 20 % on each of nodes 1 to 3, 10 % on node 5");
  EXPECT_EQ(shares_text({{0, 0.25}, {2, 0.25}, {3, 0.25}, {4, 0.25}}),
            "25 % on node 0, 25 % on each of nodes 2 to 4");
}

TEST(Binding, SplitOverNodesMeetsTheHybridRoof) {
  Point point = ddot(30);
  point.node_bytes = {{0, 500}, {1, 500}, {2, 3}};  // node 2: a library's pages
  const Reading unfitted = read_point(joe0::roofs(), point);
  EXPECT_EQ(unfitted.roof, "hybrid (50 % on node 0, 50 % on node 1)");
  EXPECT_NEAR(unfitted.limit.lo, 1 / (0.5 / 36.1 + 0.5 / 17.5), 1e-9);  // one transfer after the other
  EXPECT_NEAR(unfitted.limit.hi, 17.5 / 0.5, 1e-9);                     // until the slower one has finished
  EXPECT_TRUE(says(unfitted, "No hybrid model was fitted")) << unfitted.verdict.text();
  EXPECT_FALSE(says(unfitted, "on node 0, 50 %")) << "the roof's name has it: " << unfitted.verdict.text();
  EXPECT_TRUE(says(unfitted, "(hybrid) binds it")) << unfitted.verdict.text();
  Point slower = point;
  slower.load_bytes = 0.95e9 * unfitted.limit.lo;
  EXPECT_TRUE(says(read_point(joe0::roofs(), slower), "(hybrid) may bind it"));
  const MixModel model = [](int cluster, int, const std::map<int, LoadStore>& shares,
                            const std::optional<AllBusy>& busy) {
    EXPECT_FALSE(busy);
    EXPECT_EQ(cluster, 0);
    EXPECT_EQ(shares.size(), 2u);
    EXPECT_EQ(shares.at(0).store + shares.at(1).store, 0);
    return MixBandwidth{31, {}, 30, 32, 7, {}, {}};
  };
  const Reading fitted = read_point(joe0::roofs(), point, model);
  EXPECT_NEAR(fitted.reached_percent, 100 * 30 / 31.0, 1e-9);
  EXPECT_EQ(fitted.limit.threads, 7) << "of the fit, not of the single nodes";
  EXPECT_TRUE(says(fitted, "hybrid) binds it")) << fitted.verdict.text();
  EXPECT_FALSE(says(fitted, "No hybrid model")) << fitted.verdict.text();
}

// One gets 16.7, the other 8.3: with an even share each, what the node gives both.
TEST(Binding, AllClustersOnOneNodeShareEvenlyWhatItGives) {
  constexpr double share = (16.7 + 8.3) / 2;
  Point point = on_node(2 * 0.97 * share, 0, false);
  point.cluster = -1;
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "DRAM node 0, contended, even share (load)");
  EXPECT_NEAR(reading.gb_per_s, 0.97 * share, 1e-9);
  EXPECT_NEAR(reading.reached_percent, 97, 1e-9);
  EXPECT_TRUE(says(reading, "97 % of an even share of the bandwidth of node 0 (DRAM)"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "contention for node 0 binds it")) << reading.verdict.text();
}

// The share of three of the four clusters is not known: the node gives at least what one takes alone.
TEST(Binding, AnEvenShareIsAtLeastThatOfWhatOneClusterTakesAlone) {
  Roofs roofs = joe0::roofs();
  std::erase_if(roofs.roofs, [](const Roof& roof) { return roof.spec.cluster != 0; });
  for (int cluster = 0; cluster < 4; ++cluster) roofs.machine_cores[cluster] = 7;
  Point point = on_node(4 * 8.42, 0, false);
  point.cluster = -1;
  point.threads = 28;
  const Reading reading = read_point(roofs, point);
  EXPECT_NEAR(reading.reached_percent, 100 * 4 * 8.42 / 36.1, 1e-9);
  EXPECT_TRUE(says(reading, "contention for node 0 may bind it") &&
              says(reading, "whose interval is 9.0 to 16.7 GB/s"))
      << reading.verdict.text();
  EXPECT_NEAR(reading.headroom_percent, 100 * (36.1 / (4 * 8.42) - 1), 1e-9);
  EXPECT_NEAR(reading.headroom_hi, 100 * (16.7 / 8.42 - 1), 1e-9);
}

// Clusters without roofs also count when rates are divided between clusters.
TEST(Binding, AllClustersAreThoseOfTheMachine) {
  Roofs roofs = joe0::roofs();  // of two clusters
  for (int cluster = 0; cluster < 4; ++cluster) roofs.machine_cores[cluster] = 7;
  Point point = on_node(4 * 0.9 * 8.3, 0, false);
  point.cluster = -1;
  EXPECT_NEAR(read_point(roofs, point).gb_per_s, 0.9 * 8.3, 1e-9);
  EXPECT_NEAR(read_point(roofs, point).reached_percent, 90 * 8.3 / (36.1 / 4), 1e-9);
}

}  // namespace
}  // namespace gable::model
