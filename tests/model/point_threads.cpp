// Points and roofs of different numbers of threads, and roofs of another mix of loads and stores.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/points/binding.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

// Roofs of one core each; the machine has two clusters of 72.
Roofs of_one_core() {
  Roofs roofs;
  roofs.roofs = {joe0::bandwidth(0, "L1", "cache", -1, 100), joe0::bandwidth(0, "memory", "local", 0, 40),
                 joe0::peak(0, "fma", 50)};
  for (Roof& roof : roofs.roofs) roof.spec.threads = 1;
  roofs.machine_cores = {{0, 72}, {1, 72}};
  return roofs;
}

Point with_threads(double gb_per_s, int cluster, int threads) {
  Point point = on_node(gb_per_s, 0, cluster >= 0);
  point.cluster = cluster;
  point.threads = threads;
  return point;
}

TEST(PointThreads, ARoofOfFewerCannotStopIt) {
  for (const auto& [cluster, threads] : {std::pair{0, 72}, {0, 2}, {0, 0}, {-1, 144}, {-1, 3}}) {
    const Reading reading = read_point(of_one_core(), with_threads(38, cluster, threads));
    EXPECT_EQ(reading.roof, "") << reading.verdict.text();
    EXPECT_TRUE(says(reading, "the others are of at most 1 thread and cannot limit it"))
        << reading.verdict.text();
  }
  EXPECT_TRUE(says(read_point(of_one_core(), with_threads(38, 0, 72)), "no roof of 72 threads is known"));
}

TEST(PointThreads, AsManyMeetThatRoof) {
  const Reading one = read_point(of_one_core(), with_threads(38, 0, 1));
  EXPECT_EQ(one.roof, "DRAM node 0, local (load)");
  EXPECT_TRUE(says(one, "95 % of the bandwidth of 1 thread of cluster 0")) << one.verdict.text();
  EXPECT_EQ(read_point(of_one_core(), with_threads(190, -1, 2)).roof, "L1 (load)");  // one in each cluster
}

// Two threads that are bound to one core.
TEST(PointThreads, ThoseThatShareACoreMeetItsRoof) {
  Point point = with_threads(38, 0, 2);
  point.cores = 1;
  const Reading reading = read_point(of_one_core(), point);
  EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
  EXPECT_TRUE(says(reading, "95 % of the bandwidth of 1 thread of cluster 0")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "Its 2 threads share 1 core")) << reading.verdict.text();
  point.cluster = -1;
  point.alone = false;
  EXPECT_TRUE(says(read_point(of_one_core(), point), "which share 1 core, cannot have used all 2 clusters"));
}

// The roofs of all cores judge it, and the text says that the others do not.
TEST(PointThreads, RoofsOfBothNumbersAreToldApart) {
  Roofs roofs = of_one_core();
  roofs.roofs.push_back(joe0::bandwidth(0, "memory", "local", 0, 400));
  roofs.roofs.back().spec.threads = 72;
  const Reading all = read_point(roofs, with_threads(380, 0, 72));
  EXPECT_NEAR(all.reached_percent, 95, 1e-9);
  EXPECT_TRUE(says(all, "Roofs of 1 thread do not count, because it used 72 cores")) << all.verdict.text();
  EXPECT_TRUE(says(read_point(roofs, with_threads(500, 0, 72)), "is above every roof of 72 threads"));
}

// More threads than cores change nothing, nor do roofs whose threads are not known.
TEST(PointThreads, AllCoresAreTheMost) {
  Roofs roofs = joe0::roofs();
  for (const bool known : {false, true}) {
    if (known) roofs.machine_cores = {{0, 7}, {1, 7}};
    const Reading reading = read_point(roofs, with_threads(35, 0, 28));
    EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
    EXPECT_FALSE(says(reading, "do not count")) << reading.verdict.text();
  }
  roofs.machine_cores = {{0, 14}, {1, 14}};
  EXPECT_EQ(read_point(roofs, with_threads(35, 0, 28)).roof, "");
  for (Roof& roof : roofs.roofs) roof.spec.threads = 0;
  EXPECT_EQ(read_point(roofs, with_threads(35, 0, 28)).roof, "DRAM node 0, local (load)");
}

// All cores may have run it, or one.
TEST(PointThreads, FarBelowItsRoofUnknownOnesLeaveTheHeadroomUnknown) {
  Roofs roofs = joe0::roofs();
  const Reading far = read_point(roofs, with_threads(10, 0, 0));
  EXPECT_FALSE(far.headroom_known);
  EXPECT_TRUE(says(far, "How many cores of cluster 0 it used is not known")) << far.verdict.text();
  EXPECT_FALSE(says(far, "look for")) << far.verdict.text();
  const Reading near = read_point(roofs, with_threads(35, 0, 0));
  EXPECT_TRUE(near.headroom_known);
  EXPECT_TRUE(says(near, "local memory binds it")) << near.verdict.text();
  for (Roof& roof : roofs.roofs) roof.spec.threads = 1;
  EXPECT_TRUE(read_point(roofs, with_threads(10, 0, 0)).headroom_known) << "there is one core";
}

TEST(PointMix, ARoofOfLoadsDoesNotBindStores) {
  Point point = on_node(35, 0, true);
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "local memory binds it"));
  std::swap(point.load_bytes, point.store_bytes);
  const Reading stores = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(stores, "local memory may bind it")) << stores.verdict.text();
  EXPECT_TRUE(says(stores, "The roof is of loads alone; 0 % of the program's bytes are loads"))
      << stores.verdict.text();
}

TEST(PointMix, AboveL1ThereIsNoRoof) {
  const Reading above = read_point(joe0::roofs(), on_node(800, 0, true));
  EXPECT_EQ(above.roof, "");
  EXPECT_TRUE(says(above, "is above L1 (load), the highest bandwidth")) << above.verdict.text();
  Point stores = on_node(800, 0, true);  // a roof of loads says nothing of their limit
  std::swap(stores.load_bytes, stores.store_bytes);
  EXPECT_FALSE(says(read_point(joe0::roofs(), stores), "the highest bandwidth"));
}

TEST(PointMix, WhereOtherRoofsAreKnownTheTextDoesNotDenyThem) {
  Roofs roofs;
  roofs.roofs = {joe0::bandwidth(0, "memory", "local", 0, 40)};
  Point point = with_threads(30, -1, 7);
  point.node_bytes = {{1, 1 << 30}};
  const Reading reading = read_point(roofs, point);
  EXPECT_TRUE(says(reading, "no roof of cluster 0 that could limit it is known")) << reading.verdict.text();
  EXPECT_TRUE(says(read_point(Roofs{}, with_threads(30, 0, 7)), "no roofs of cluster 0 are known"));
}

TEST(PointCaches, DataThatFitsIsSaid) {
  Roofs roofs = joe0::roofs();
  roofs.levels = {{0, Level::cache(2), 1 << 20, 1 << 20, true, {}},
                  {0, Level::cache(3), 32 << 20, 8 << 20, false, {}}};
  roofs.roofs.push_back(joe0::bandwidth(0, "L3", "cache", -1, 200));
  roofs.roofs.push_back(joe0::bandwidth(0, "L2", "cache", -1, 400));
  Point point = on_node(30, 0, true);
  point.node_bytes = {{0, 4 << 20}};
  const Reading fits = read_point(roofs, point);
  EXPECT_TRUE(says(fits, "Its data (4 MiB) fits in L3 (32 MiB, measured up to 8 MiB)"))
      << fits.verdict.text();
  EXPECT_TRUE(says(fits, "is used many times, so memory does not limit it")) << fits.verdict.text();
  EXPECT_EQ(fits.roof, "L3 (load)") << "not the memory roof that it happens to be near";
  EXPECT_FALSE(says(fits, "memory binds")) << fits.verdict.text();
  Point once = point;
  once.flops = 1 << 20;
  once.load_bytes = 8 << 20;
  once.seconds = once.load_bytes / 30e9;
  EXPECT_EQ(read_point(roofs, once).roof, "DRAM node 0, local (load)")
      << "most of its bytes are first touches";
  point.node_bytes = {{0, 500 << 10}};
  point.flops = 0;
  EXPECT_EQ(read_point(roofs, point).roof, "L2 (load)") << "the L3 is nearer, but cannot limit it";
  EXPECT_TRUE(says(read_point(roofs, point), "fits in L2 (1 MiB) and"));
  point.node_bytes = {{0, 16 << 20}};  // the claimed size would hold it, the measured one does not
  EXPECT_FALSE(says(read_point(roofs, point), "fits in"));
}

}  // namespace
}  // namespace gable::model
