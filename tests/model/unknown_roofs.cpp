// Points whose roof is not known, or is known only within an interval: what the reading must not claim.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/points/binding.hpp"
#include "model/points/headroom.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"
#include "tests/model/moving.hpp"

namespace gable::model {
namespace {

Roofs with_interval(double share) {
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) {
    roof.lo = (1 - share) * roof.value;
    roof.hi = (1 + share) * roof.value;
  }
  return roofs;
}

constexpr double local = 36.1, l1 = 760.1;

TEST(UnknownLocation, ANodeThatWasNotMeasuredGivesNoHeadroom) {
  for (const double gb_per_s : {1.0, 16.0, 100.0}) {  // not near L3 (154 GB/s)
    const Reading reading = read_point(joe0::roofs(), on_node(gb_per_s, 7, true));
    EXPECT_EQ(reading.roof, "") << reading.verdict.text();
    EXPECT_TRUE(says(reading, "no roof of cluster 0 is known for where its data lies (100 % on node 7)"))
        << reading.verdict.text();
  }
  Point split = on_node(16, 0, true);
  split.node_bytes[7] = split.node_bytes[0];
  EXPECT_EQ(read_point(joe0::roofs(), split).roof, "");
  EXPECT_THROW(move_point(joe0::roofs(), split, {{0, 1.0}}), Error);
}

TEST(UnknownLocation, TheReasonWhyItWasSkippedIsSaid) {
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) {
    if (roof.spec.pattern != Pattern::contended || roof.spec.node != 0) continue;
    roof.status = Status::skipped;
    roof.reason = Note("no room");
  }
  const Reading reading = read_point(roofs, on_node(5, 0, false));
  EXPECT_EQ(reading.roof, "");
  EXPECT_TRUE(says(reading, "while all clusters are busy")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "contended of node 0 was skipped (no room)")) << reading.verdict.text();
}

// What a peak or a cache binds needs no roof of the memory; the cache is not sure.
TEST(UnknownLocation, APeakOrACacheThatIsNearBindsNevertheless) {
  Point point = on_node(5, 7, true);
  point.flops = 0.9 * 1.99 * 2 * 4 * 7 * 1.7 * 1e9;
  const Reading peak = read_point(joe0::roofs(), point);
  EXPECT_EQ(peak.roof, "FMA DP");
  EXPECT_TRUE(says(peak, "arithmetic binds it")) << peak.verdict.text();
  const Reading cache = read_point(joe0::roofs(), on_node(0.9 * 154, 7, true));
  EXPECT_EQ(cache.roof, "L3 (load)");
  EXPECT_TRUE(says(cache, "L3 may bind it")) << cache.verdict.text();
  EXPECT_TRUE(says(cache, "No roof was measured for where its data lies")) << cache.verdict.text();
}

// What caches serve may come from one without a roof; then the distance to L1 says nothing.
TEST(UnknownLocation, ACacheThatWasNotMeasuredMayServeIt) {
  Roofs roofs = joe0::roofs();
  std::erase_if(roofs.roofs, [](const Roof& roof) { return roof.spec.level == Level::cache(2); });
  roofs.levels = {{0, Level::cache(2), 1 << 20, 1 << 20, true, {}}};
  const Reading above = read_point(roofs, on_node(250, 0, true));
  EXPECT_EQ(above.roof, "") << above.verdict.text();
  EXPECT_TRUE(says(above, "faster than the memory that holds its data, but no roof of L2 of cluster 0"))
      << above.verdict.text();
  EXPECT_TRUE(says(read_point(roofs, on_node(100, 0, true)), "undecided between its memory and L3"));
  Point inside = on_node(250, 0, true);
  inside.node_bytes = {{0, 500 << 10}};
  EXPECT_EQ(read_point(roofs, inside).roof, "");
  roofs.levels = {{0, Level::cache(1), 32 << 10, 32 << 10, true, {}}};
  inside.node_bytes = {{0, 16 << 10}};
  inside.flops = 0;
  EXPECT_EQ(read_point(roofs, inside).roof, "L1 (load)") << read_point(roofs, inside).verdict.text();
}

TEST(UnknownLocation, WithoutRoofsOfCachesNothingContradicts) {
  Roofs roofs = joe0::roofs();
  std::erase_if(roofs.roofs, [](const Roof& roof) { return roof.spec.pattern == Pattern::cache; });
  const Point point = on_node(60, 0, true);
  EXPECT_TRUE(says(read_point(roofs, point), "but no roof of L1 of cluster 0 is known")) << "below the peaks";
  std::erase_if(roofs.roofs, [](const Roof& roof) { return is_peak(roof.spec.kind); });
  const Reading reading = read_point(roofs, point);
  EXPECT_EQ(reading.roof, "");
  EXPECT_TRUE(says(reading, "above every roof that is known, but no roof of L1 of cluster 0 is"))
      << reading.verdict.text();
  EXPECT_FALSE(says(reading, "not from the same machine")) << reading.verdict.text();
}

// Up to the upper end of the interval it is the memory's, whatever the tolerance of 3 % says.
TEST(IntervalOfARoof, WithinItThePointIsAtTheRoof) {
  for (const auto& [reached, interval] : {std::pair{1.03, 0.08}, {1.07, 0.08}, {0.95, 0.10}, {0.93, 0.08}}) {
    const Reading reading = read_point(with_interval(interval), on_node(reached * local, 0, true));
    EXPECT_EQ(reading.roof, "DRAM node 0, local (load)") << reading.verdict.text();
    EXPECT_NEAR(reading.reached_percent, 100 * reached, 1e-9);
    EXPECT_TRUE(says(reading, "local memory binds it")) << reading.verdict.text();
    EXPECT_EQ(reading.headroom_percent, 0);
    EXPECT_EQ(reading.headroom_lo, 0);
    EXPECT_NEAR(reading.headroom_hi, 100 * ((1 + interval) / reached - 1), 1e-9);
    EXPECT_TRUE(headroom_text(reading).starts_with("0 to ")) << headroom_text(reading);
  }
  const Reading beyond = read_point(with_interval(0.08), on_node(1.09 * local, 0, true));
  EXPECT_EQ(beyond.roof, "");
  EXPECT_TRUE(says(beyond, "undecided between its memory and L3")) << beyond.verdict.text();
}

TEST(IntervalOfARoof, BelowItTheHeadroomHasAnInterval) {
  const Reading reading = read_point(with_interval(0.10), on_node(0.5 * local, 0, true));
  EXPECT_NEAR(reading.headroom_percent, 100, 1e-9);
  EXPECT_NEAR(reading.headroom_lo, 80, 1e-9);
  EXPECT_NEAR(reading.headroom_hi, 120, 1e-9);
  EXPECT_EQ(headroom_text(reading), "100 % (80 to 120 %)");
  Point split = on_node(15, 0, true);  // from 23.6 to 35 GB/s, as much as overlaps
  split.node_bytes[1] = split.node_bytes[0];
  EXPECT_EQ(headroom_text(read_point(joe0::roofs(), split)), "57 to 133 %");
  const Reading sure = read_point(joe0::roofs(), on_node(0.5 * local, 0, true));
  EXPECT_EQ(headroom_text(sure), "100 %");
}

// 85 % of a roof that may be 40 % higher is 61 % of it.
TEST(IntervalOfARoof, AWideOneOnlyMayBind) {
  const Point point = on_node(0.85 * local, 0, true);
  const Reading reading = read_point(with_interval(0.4), point);
  EXPECT_TRUE(says(reading, "local memory may bind it") &&
              says(reading, "whose interval is 21.7 to 50.5 GB/s"))
      << reading.verdict.text();
}

TEST(IntervalOfARoof, WithinThatOfL1NothingContradicts) {
  EXPECT_EQ(read_point(with_interval(0.08), on_node(1.06 * l1, 0, true)).roof, "L1 (load)");
  EXPECT_TRUE(says(read_point(with_interval(0.08), on_node(1.09 * l1, 0, true)), "is above L1"));
  Point uncertain = on_node(1.09 * l1, 0, true);  // its time may be 10 % longer
  uncertain.seconds_hi = 1.1;
  const Reading reading = read_point(with_interval(0.08), uncertain);
  EXPECT_EQ(reading.roof, "L1 (load)") << reading.verdict.text();
  EXPECT_EQ(reading.headroom_percent, 0);
}

// A roof of one thread beside those of all.
Roofs with_a_ladder_of_one() {
  Roofs roofs = joe0::roofs();
  roofs.roofs.push_back(joe0::bandwidth(0, "memory", "local", 0, 12));
  roofs.roofs.back().spec.threads = 1;
  return roofs;
}

Point of_threads(double gb_per_s, int node, int threads) {
  Point point = on_node(gb_per_s, node, true);
  point.threads = threads;
  return point;
}

TEST(FewThreads, ARoofOfTheirNumberJudgesThem) {
  const Reading reading = read_point(with_a_ladder_of_one(), of_threads(11.4, 0, 1));
  EXPECT_NEAR(reading.reached_percent, 95, 1e-9) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "95 % of the bandwidth of 1 thread of cluster 0 from its local node 0"))
      << reading.verdict.text();
  EXPECT_FALSE(says(reading, "times as fast")) << "the other memory's roofs are of 7 threads";
  EXPECT_NEAR(read_point(with_a_ladder_of_one(), of_threads(34, 0, 7)).limit.value, local, 1e-9);
}

TEST(FewThreads, ARoofOfMoreThreadsGivesThemNoHeadroom) {
  for (const auto& [roofs, threads] : {std::pair{joe0::roofs(), 1}, {with_a_ladder_of_one(), 3}}) {
    const Reading reading = read_point(roofs, of_threads(8, 0, threads));
    EXPECT_FALSE(reading.headroom_known) << reading.verdict.text();
    EXPECT_EQ(headroom_text(reading), "not known");
    EXPECT_TRUE(says(reading, "the roof was measured with 7 threads, and what ")) << reading.verdict.text();
    EXPECT_FALSE(says(reading, "look for waiting")) << reading.verdict.text();
  }
}

// One thread that reaches the roof of all is bound by it; it may not reach a higher one.
TEST(FewThreads, ARoofOfMoreThreadsThatIsReachedBinds) {
  const Point point = of_threads(0.95 * 17.5, 1, 1);
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_TRUE(reading.headroom_known);
  EXPECT_TRUE(says(reading, "remote memory binds it")) << reading.verdict.text();
}

// The roofs of P and of E cores are no roof of both together.
TEST(KindsOfCores, APointOfAllClustersIsRefusedWithTheReason) {
  Roofs roofs = joe0::roofs();
  roofs.machine_cores = {{0, 7}, {1, 7}};
  Point point = on_node(2 * 0.97 * 8.3, 0, false);
  point.cluster = -1;
  EXPECT_NE(read_point(roofs, point).roof, "");
  roofs.machine_kinds = {{0, "P"}, {1, "P"}};
  EXPECT_NE(read_point(roofs, point).roof, "");
  roofs.machine_kinds[1] = "E";
  const Reading reading = read_point(roofs, point);
  EXPECT_EQ(reading.roof, "");
  EXPECT_TRUE(says(reading, "no roof is known for cores of several kinds (E, P) together"))
      << reading.verdict.text();
  EXPECT_EQ(read_point(roofs, point, 1, {}).roof, "") << "the chart of one cluster";
  EXPECT_THROW(move_point(roofs, point, {{1, 1.0}}), Error);
  point.cluster = 0;
  EXPECT_NE(read_point(roofs, point).roof, "");
}

TEST(FewThreads, FewerThanClustersDoNotUseThemEvenly) {
  Point point = on_node(2 * 0.97 * 8.3, 0, false);
  point.cluster = -1;
  point.threads = 2;
  EXPECT_NE(read_point(joe0::roofs(), point).roof, "");
  point.threads = 1;
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "");
  EXPECT_TRUE(says(reading, "its 1 thread cannot have used all 2 clusters evenly")) << reading.verdict.text();
}

// Each cluster's threads ran for their own time.
TEST(PointOfACluster, CountsWithItsOwnSeconds) {
  Point first = on_node(8, 0, false), second = on_node(8, 1, false);
  first.seconds = first.seconds_lo = first.seconds_hi = 0.5;
  second.cluster = 1;
  EXPECT_NEAR(read_point(joe0::roofs(), first).gb_per_s, 16, 1e-9);
  EXPECT_NEAR(read_point(joe0::roofs(), second).gb_per_s, 8, 1e-9);
}

// Each cluster has a node behind a memory-side cache. Interleaved pages lie on both.
Roofs behind_caches() {
  Roofs roofs = joe0::roofs();
  for (const auto& [pattern, node, gb_per_s] :
       {std::tuple{"local", 0, 200.0}, {"local_all", 0, 180.0}, {"congested", -1, 120.0}}) {
    roofs.roofs.push_back(joe0::bandwidth(0, "MCDRAM", pattern, node, gb_per_s));
    roofs.roofs.back().spec.tier = Tier::hbm;
  }
  roofs.roofs.push_back(joe0::bandwidth(0, "memory", "local_all", 0, 30));
  return roofs;
}

Point interleaved(double gb_per_s, bool alone) {
  Point point = ddot(gb_per_s);
  point.alone = alone;
  point.policy = "interleave";
  point.node_bytes = {{0, 500}, {1, 500}};
  return point;
}

TEST(MemorySideCache, InterleavedPagesOfAllClustersMeetItsCongestedRoof) {
  const Reading cached = read_point(behind_caches(), interleaved(110, false));
  EXPECT_EQ(cached.roof, "MCDRAM, congested (load)") << cached.verdict.text();
  EXPECT_EQ(read_point(behind_caches(), interleaved(18, false)).roof, "DRAM all nodes, congested (load)");
  Roofs skipped = behind_caches();
  for (Roof& roof : skipped.roofs) {
    if (is_side_cache(roof.spec.level) && roof.spec.pattern == Pattern::congested) {
      roof.status = Status::skipped;
      roof.reason = Note("no time");
    }
  }
  const Reading unknown = read_point(skipped, interleaved(60, false));
  EXPECT_EQ(unknown.roof, "") << unknown.verdict.text();
  EXPECT_TRUE(says(
      unknown, "no roof of the memory-side cache MCDRAM is known for cluster 0 while all clusters are busy"))
      << unknown.verdict.text();
  EXPECT_TRUE(says(unknown, "congested of all nodes was skipped (no time)")) << unknown.verdict.text();
}

TEST(MemorySideCache, ContendedPagesDoNotMeetTheRoofOfTheClustersOwnNodes) {
  const Reading reading = read_point(behind_caches(), on_node(60, 0, false));
  EXPECT_EQ(reading.roof, "") << reading.verdict.text();
}

TEST(MemorySideCache, PagesOnSeveralNodesNeedTheCacheOfEach) {
  EXPECT_EQ(read_point(behind_caches(), interleaved(60, true)).roof, "") << "node 1 has no figure";
  Roofs roofs = behind_caches();
  roofs.roofs.push_back(joe0::bandwidth(0, "MCDRAM", "remote", 1, 100));
  const Reading reading = read_point(roofs, interleaved(165, true));
  EXPECT_EQ(reading.limit.kind, Limit::Kind::side_cache) << reading.verdict.text();
  EXPECT_NEAR(reading.limit.lo, 1 / (0.5 / 200 + 0.5 / 100), 1e-9);
  EXPECT_NEAR(reading.limit.hi, 100 / 0.5, 1e-9);
  EXPECT_TRUE(says(reading, "No roof of MCDRAM was measured for this mix of nodes"))
      << reading.verdict.text();
  EXPECT_FALSE(says(reading, "all clusters")) << reading.verdict.text();
}

}  // namespace
}  // namespace gable::model
