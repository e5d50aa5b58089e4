// Points whose accesses to memory are known: their roofs are those of the memories that they access, not of
// those that hold their pages.

#include "model/points/limits/spread.hpp"

#include <gtest/gtest.h>

#include "model/points/access.hpp"
#include "model/points/binding.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

constexpr int clusters = 4;

// Only cluster 0 was measured, as in the paper; the topology is known.
Roofs joe0_of_topology() {
  Roofs roofs = joe0::roofs();
  std::erase_if(roofs.roofs, [](const Roof& roof) { return roof.spec.cluster != 0; });
  for (int cluster = 0; cluster < clusters; ++cluster) {
    roofs.machine_cores[cluster] = 7;
    roofs.machine_nodes[cluster] = {cluster};
    roofs.machine_tiers[cluster] = Tier::dram;
  }
  return roofs;
}

// All clusters; `share(cluster, node)` of the cluster's accesses.
template <typename Share>
Point accessing(double gb_per_s_each, const Share& share) {
  Point point = ddot(clusters * gb_per_s_each);
  point.cluster = -1;
  point.alone = false;
  point.threads = 28;
  point.access_source = AccessSource::replay;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    for (int node = 0; node < clusters; ++node) {
      if (const double part = share(cluster, node); part > 0)
        point.access.push_back({node, cluster, part * gb_per_s_each * 1e9, 0});
    }
  }
  return point;
}

double own_node(int cluster, int node) {
  return cluster == node ? 1 : 0;
}
double first_node(int, int node) {
  return node == 0 ? 1 : 0;
}
double every_node(int, int) {
  return 1.0 / clusters;
}

TEST(Spread, PureSpreadsHaveTheMeasuredRoofs) {
  const Roofs roofs = joe0_of_topology();
  EXPECT_EQ(read_point(roofs, accessing(34, own_node)).roof, "DRAM node 0, local (load)");
  EXPECT_EQ(read_point(roofs, accessing(8.5, first_node)).roof, "DRAM node 0, contended, even share (load)");
  const Reading spread = read_point(roofs, accessing(17.5, every_node));
  EXPECT_EQ(spread.roof, "DRAM all nodes, congested (load)");
  EXPECT_NE(spread.verdict.text().find("congestion between the nodes binds it"), std::string::npos)
      << spread.verdict.text();
}

// A tenth of each is within the interval of nothing that was measured: the parts are told.
TEST(Spread, KnownMixturesAreFoundAgain) {
  const Roofs roofs = joe0_of_topology();
  const auto mixture = [](int cluster, int node) {
    return 0.7 * own_node(cluster, node) + 0.2 * first_node(cluster, node) + 0.1 * every_node(cluster, node);
  };
  const auto found = access_spread(roofs, accessing(20, mixture));
  ASSERT_TRUE(found);
  const AccessSpread::OfTier& dram = found->tiers.at(Tier::dram);
  EXPECT_NEAR(dram.local, 0.7, 1e-12);
  EXPECT_NEAR(dram.congested, 0.1, 1e-12);
  EXPECT_NEAR(dram.contended.at(0), 0.2, 1e-12);
  EXPECT_NEAR(dram.contended.at(1), 0, 1e-12);
  const Reading reading = read_point(roofs, accessing(20, mixture));
  const double alone = 36.1 / clusters;  // what node 0 gives each cluster at least
  EXPECT_EQ(reading.roof, "70 % DRAM local and 20 % DRAM node 0 contended and 10 % DRAM congested");
  EXPECT_NEAR(reading.limit.lo, 1 / (0.7 / 36.1 + 0.2 / alone + 0.1 / 18.1), 1e-9);
  EXPECT_NEAR(reading.limit.hi, 36.1 / 0.7, 1e-9);
  EXPECT_NE(reading.verdict.text().find("accesses"), std::string::npos) << reading.verdict.text();
  EXPECT_EQ(reading.verdict.text().find("pages"), std::string::npos) << reading.verdict.text();
}

TEST(Spread, WhereOnlyOthersNodesAreAccessedNothingIsLocal) {
  const auto neighbour = [](int cluster, int node) { return node == (cluster + 1) % clusters ? 1 : 0; };
  const auto found = access_spread(joe0_of_topology(), accessing(10, neighbour));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->tiers.at(Tier::dram).local, 0);
  EXPECT_NEAR(found->tiers.at(Tier::dram).congested, 1, 1e-12);
}

// The pages lie on both nodes, and one of them is hardly accessed.
TEST(Spread, AccessesCountWherePagesDoNot) {
  Point point = ddot(0.97 * 17.5);
  point.node_bytes = {{0, 50}, {1, 50}};
  EXPECT_TRUE(read_point(joe0::roofs(), point).roof.starts_with("hybrid"));
  point.access_source = AccessSource::given;
  point.access = {{0, -1, 0.01 * point.load_bytes, 0}, {1, -1, 0.99 * point.load_bytes, 0}};
  EXPECT_EQ(read_point(joe0::roofs(), point).roof, "DRAM node 1, remote (load)");
}

// 20 samples cannot tell 75 % from an even share, or from one node alone: the pages count, as without
// samples.
TEST(Spread, FewSamplesDecideNothing) {
  Point by_pages = ddot(0.97 * 17.5);
  by_pages.node_bytes = {{1, 100}};
  Point sampled = by_pages;
  sampled.access_source = AccessSource::samples;
  sampled.access = {{0, -1, 0.25 * sampled.load_bytes, 0}, {1, -1, 0.75 * sampled.load_bytes, 0}};
  const Reading pages = read_point(joe0::roofs(), by_pages), unknown = read_point(joe0::roofs(), sampled);
  EXPECT_EQ(pages.roof, "DRAM node 1, remote (load)");
  EXPECT_TRUE(unknown.roof.starts_with("hybrid")) << "files without the number of samples";
  sampled.access_samples = 20;
  ASSERT_TRUE(has_few_samples(sampled));
  const Reading few = read_point(joe0::roofs(), sampled);
  EXPECT_EQ(few.roof, pages.roof);
  EXPECT_NE(few.verdict.text().find(sentence(few_samples_note(sampled))), std::string::npos)
      << few.verdict.text();
  EXPECT_NE(few.verdict.text().find("by 20 samples, each ± 22 %"), std::string::npos) << few.verdict.text();
  sampled.access_samples = 2000;
  ASSERT_FALSE(has_few_samples(sampled));
  const Reading many = read_point(joe0::roofs(), sampled);
  EXPECT_EQ(many.roof, unknown.roof);
  EXPECT_NE(many.verdict.text().find("by 2000 samples, each ± 2 %"), std::string::npos)
      << many.verdict.text();
}

// Instructions request an eighth of each line, or memory serves an eighth of what they request.
TEST(Spread, TheMemoryIsComparedWithWhatItTransfers) {
  for (const double factor : {8.0, 0.125}) {
    Point point = accessing(34, own_node);
    for (double* bytes : {&point.load_bytes, &point.flops}) *bytes /= factor;
    const Reading reading = read_point(joe0_of_topology(), point);
    EXPECT_EQ(reading.roof, "DRAM node 0, local (load)") << factor;
    EXPECT_NEAR(reading.reached_percent, 100 * 34 / 36.1, 1e-9) << factor;
  }
  const Reading impossible = read_point(joe0_of_topology(), accessing(50, own_node));
  EXPECT_EQ(impossible.roof, "");
  EXPECT_NE(impossible.verdict.text().find("would transfer 50.0 GB/s at memory level"), std::string::npos)
      << impossible.verdict.text();
  Point cached = accessing(34, own_node);
  cached.access.clear();
  const Reading reading = read_point(joe0_of_topology(), cached);
  EXPECT_EQ(reading.limit.kind, Limit::Kind::cache) << reading.verdict.text();
  EXPECT_NE(reading.verdict.text().find("caches served all its accesses"), std::string::npos)
      << reading.verdict.text();
}

TEST(Spread, WithoutAccessesByClusterNothingIsKnown) {
  Point point = accessing(10, own_node);
  for (NodeAccess& access : point.access) access.cluster = -1;
  EXPECT_FALSE(access_spread(joe0_of_topology(), point));
}

}  // namespace
}  // namespace gable::model
