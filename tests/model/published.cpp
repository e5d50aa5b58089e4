// Points on the published machines: the Knights Landing of the LARM paper, in cache mode and in flat mode.

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "model/json/hybrid.hpp"
#include "model/points/binding.hpp"
#include "model/points/mix_model.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/moving.hpp"

namespace gable::model {
namespace {

// The Point uses all cores of the cluster.
Point with_its_data(double gb_per_s, int node) {
  Point point = on_node(gb_per_s, node, true);
  point.threads = 16;
  return point;
}

Roofs published(const std::string& machine) {
  const std::string path = GABLE_SOURCE_DIR "/machines/" + machine + "/roofs.json";
  Roofs roofs = roofs_from_json(read_whole(path), path);
  for (int cluster = 0; cluster < 4; ++cluster) roofs.machine_cores[cluster] = 16;
  for (int node = 0; machine == "knl-snc4-flat" && node < 8; ++node)
    roofs.machine_tiers[node] = node % 2 == 0 ? Tier::dram : Tier::hbm;
  return roofs;
}

// The Point uses all four clusters.
Point half_in_each_tier(double gb_per_s_of_a_cluster, const std::string& policy) {
  Point point = ddot(4 * gb_per_s_of_a_cluster);
  point.cluster = -1;
  point.alone = false;
  point.policy = policy;
  for (int node = 0; node < 8; ++node) point.node_bytes[node] = 100;
  return point;
}

TEST(CacheMode, DataThatTheCacheHoldsStandsUnderItsRoof) {
  const Reading reading = read_point(published("knl-snc4-cache"), with_its_data(84, 0));
  EXPECT_EQ(reading.roof, "MCDRAM node 0, local (load)");
  EXPECT_NEAR(reading.reached_percent, 100 * 84 / 85.4, 1e-9);
  EXPECT_TRUE(says(reading, "98 % of the bandwidth of cluster 0 from the memory-side cache MCDRAM of node 0"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "MCDRAM binds it")) << reading.verdict.text();
}

TEST(CacheMode, DataThatItHoldsInPartIsBetweenBoth) {
  const Reading reading = read_point(published("knl-snc4-cache"), with_its_data(28, 0));
  EXPECT_EQ(reading.limit.kind, Limit::Kind::side_cache);
  EXPECT_NEAR(reading.headroom_percent, 100 * (85.4 / 28 - 1), 1e-9);
  EXPECT_TRUE(says(reading, "is between DRAM node 0, local (load) (22.9 GB/s) and"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "of which it reaches 33 %: the cache holds a part of its data"))
      << reading.verdict.text();
  EXPECT_FALSE(says(reading, "waiting")) << reading.verdict.text();
}

TEST(CacheMode, DataBeyondItStandsUnderTheMemory) {
  const Reading reading = read_point(published("knl-snc4-cache"), with_its_data(22.5, 0));
  EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
  EXPECT_TRUE(says(reading, "local memory binds it")) << reading.verdict.text();
}

// The other clusters have their data on their own nodes as well: table 5's second line, not its contention.
TEST(OthersBusy, DataOnTheOwnNodeStandsUnderTheRoofOfAllClustersBusy) {
  Point point = with_its_data(21.3, 0);
  point.alone = false;
  point.policy = "first-touch";
  const Reading reading = read_point(published("knl-snc4-flat"), point);
  EXPECT_EQ(reading.roof, "DRAM node 0, local, all clusters busy (load)");
  EXPECT_NEAR(reading.reached_percent, 100 * 21.3 / 21.7, 1e-9);
  EXPECT_TRUE(says(reading, "local memory binds it")) << reading.verdict.text();
}

TEST(OthersBusy, OfAllClustersOneNodeGivesAtLeastWhatOneClusterTakesAlone) {
  Point point = on_node(4 * 8.42, 0, false);
  point.cluster = -1;
  point.threads = 28;
  Roofs roofs = published("joe0");
  for (auto& [cluster, cores] : roofs.machine_cores) cores = 7;
  const Reading reading = read_point(roofs, point);
  EXPECT_NEAR(reading.reached_percent, 100 * 33.68 / 36.1, 1e-9);
  EXPECT_TRUE(says(reading, "contention for node 0 may bind it")) << reading.verdict.text();
}

// Dependent loads: 1440 MB in 1.371 s by 18 threads, 137 ns each.
TEST(Latencies, OfAChaseTheMoveIsBetweenNothingAndTheirRatio) {
  Point chase = on_node(1.44 / 1.371, 0, true);
  chase.threads = 18;
  Roofs roofs = published("xeon6254-optane");
  roofs.machine_cores = {{0, 18}};
  const Forecast found = move_point(roofs, chase, {{1, 1.0}});
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_LE(found.ratio_lo, 1);
  EXPECT_GE(found.ratio_hi, 403.70 / 137.14);  // table 2.3
  EXPECT_LE(found.ratio_hi, 1.1 * 403.70 / 137.14);
}

// The paper does not explain its ±.
TEST(Published, APlusMinusIsNoInterval) {
  const Reading reading = read_point(published("knl-snc4-flat"), with_its_data(37, 0));
  EXPECT_FALSE(reading.limit.interval);
  EXPECT_EQ(reading.headroom_lo, reading.headroom_hi);
}

// Tables 5 and 6: what overlaps is known of the cluster alone, so a mix has a figure.
TEST(SeveralTiers, TheHybridModelOfAClusterEstimatesTheMixOfAll) {
  const std::string path = GABLE_SOURCE_DIR "/machines/knl-snc4-flat/hybrid.json";
  const MixModel model = mix_model(hybrid_from_json(read_whole(path), path));
  const double longest = 0.5 / 19.8, other = 0.5 / 77.6, theta = 0.611, seconds = longest + theta * other;
  const Reading reading = read_point(published("knl-snc4-flat"), half_in_each_tier(33, "interleave"), model);
  EXPECT_EQ(reading.roof, "50 % DRAM and 50 % HBM, congested");
  EXPECT_NEAR(reading.limit.value, 1 / seconds, 1e-9);
  EXPECT_NEAR(reading.limit.lo, 2 / (seconds + longest + other), 1e-9);
  EXPECT_NEAR(reading.limit.hi, 2 / (seconds + longest), 1e-9);
  EXPECT_LT(reading.limit.hi, 1.25 * reading.limit.lo) << "a figure";
  EXPECT_TRUE(says(reading, "The roof is an estimate")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "(hybrid) may bind it")) << reading.verdict.text();
  Point stores = half_in_each_tier(16.5, "interleave");
  stores.store_bytes = stores.load_bytes;
  const Reading unknown = read_point(published("knl-snc4-flat"), stores, model);
  EXPECT_FALSE(unknown.limit.fitted);
  EXPECT_TRUE(says(unknown, "was not measured with all clusters at once")) << unknown.verdict.text();
}

// Full overlap of tables 4 and 5: the half in DRAM takes 0.5 / 19.8 s for each GB.
TEST(SeveralTiers, TheMixHasARoofOfItsOwn) {
  const Roofs roofs = published("knl-snc4-flat");
  for (const double speed : {34.0, 39.0, 40.0}) {
    const Reading reading = read_point(roofs, half_in_each_tier(speed, "interleave"));
    EXPECT_EQ(reading.roof, "50 % DRAM and 50 % HBM, congested") << speed;
    EXPECT_NEAR(reading.limit.value, 19.8 / 0.5, 1e-9);
    EXPECT_NEAR(reading.limit.lo, 1 / (0.5 / 19.8 + 0.5 / 77.6), 1e-9);
    EXPECT_NEAR(reading.reached_percent, 100 * speed / 39.6, 1e-9);
  }
  const Point bound = half_in_each_tier(39.6, "interleave");
  Setting own_nodes = moved(timed_on(roofs, bound), {{1, 0.25}, {3, 0.25}, {5, 0.25}, {7, 0.25}});
  own_nodes.like.policy = "first-touch";
  const Setting here = timed_on(roofs, bound);
  const Forecast faster = forecast(program_of_point(here, bound).program, own_nodes, &here);
  EXPECT_LE(faster.ratio_lo, 39.6 / 90.9) << "table 5: all clusters load from their own MCDRAM";
  EXPECT_GE(faster.ratio_hi, 39.6 / 90.9);
}

TEST(SeveralTiers, TheMeasuredRoofOfAllTiersComesFirst) {
  Roofs roofs = published("knl-snc4-flat");
  Roof all;
  all.spec.kind = Kind::bandwidth;
  all.spec.level = Level::memory();
  all.spec.pattern = Pattern::congested;
  all.spec.tier = *tiers_named("DRAM+HBM");
  all.spec.op = operations::load;
  all.value = all.lo = all.hi = 37;
  all.unit = "GB/s";
  roofs.roofs.push_back(all);
  Point point = half_in_each_tier(36, "interleave");
  EXPECT_EQ(read_point(roofs, point).roof, "DRAM+HBM all nodes, congested (load)");
  point.node_bytes[1] = 2000;  // most of it in one node's MCDRAM: not as interleaving would have it
  EXPECT_EQ(read_point(roofs, point).limit.kind, Limit::Kind::hybrid);
}

TEST(SeveralTiers, OneNodeOfATierIsContended) {
  Point point = half_in_each_tier(20, "interleave");
  point.node_bytes = {{0, 100}, {1, 50}, {3, 50}};
  const Reading reading = read_point(published("knl-snc4-flat"), point);
  EXPECT_NEAR(reading.limit.value, 10.7 / 0.5, 1e-9);  // node 0, contended
}

// All clusters, but the data lies on nodes of cluster 0 alone: no roof of local data applies.
TEST(SeveralTiers, DataOfOneClustersNodesIsNotLocalToAll) {
  Point point = half_in_each_tier(25, "");
  point.node_bytes = {{0, 100}, {1, 100}};
  const Reading reading = read_point(published("knl-snc4-flat"), point);
  EXPECT_EQ(reading.roof.find("local"), std::string::npos) << reading.roof;
  EXPECT_FALSE(says(reading, "local memory")) << reading.verdict.text();
}

// Which memory-side cache serves a Point is not known if the location of its data is not.
TEST(MemorySideCaches, AnUnknownLocationIsTold) {
  Point point = with_its_data(84, 0);
  point.node_bytes.clear();
  const Reading reading = read_point(published("knl-snc4-cache"), point);
  EXPECT_EQ(reading.limit.kind, Limit::Kind::side_cache) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "Where its data lies is not known")) << reading.verdict.text();
  EXPECT_FALSE(says(reading, "the memory that holds its data")) << reading.verdict.text();
}

}  // namespace
}  // namespace gable::model
