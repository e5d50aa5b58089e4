// The binding roof of points with a known bottleneck: the cases of the LARM paper's figure
// 5 on its table 2, and invalid figures.

#include "model/points/binding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "model/points/limits/mix_limits.hpp"
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
  EXPECT_TRUE(says(reading, "no other placement measured here is faster")) << reading.cause;
}

TEST(Binding, OfAMachineWithOneMemoryNoOtherPlacementIsTold) {
  Roofs roofs = joe0::roofs();
  std::erase_if(roofs.roofs, [](const Roof& roof) {
    return is_memory(roof.spec.level) && (roof.spec.node != 0 || roof.spec.pattern != Pattern::local);
  });
  const Reading reading = read_point(roofs, on_node(0.95 * 36.1, 0, true));
  EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
  EXPECT_FALSE(says(reading, "placement")) << reading.cause;
}

TEST(Binding, InterleaveStandsUnderTheCongestedRoof) {
  const Reading reading = read_point(joe0::roofs(), everywhere(0.97 * 18.1, "interleave"));
  EXPECT_EQ(reading.roof, "DRAM all nodes, congested (load)");
  EXPECT_TRUE(says(reading, "congestion")) << reading.cause;
  EXPECT_TRUE(
      says(reading, "each thread's data on its own cluster's node (DRAM) it could be up to 2.0 times"))
      << reading.cause;
}

// The pages of each thread are then on all these nodes, so no thread has its data on its own node.
TEST(Binding, InterleaveOverNamedNodesAndWeightsIsInterleave) {
  const double at_local_nodes = 0.95 * 36.1;
  const std::string cause = read_point(joe0::roofs(), everywhere(at_local_nodes, "interleave")).cause;
  for (const char* policy : {"interleave:0,1,2,3", "weighted", "weighted:0=1,1=1,2=1,3=1"})
    EXPECT_EQ(read_point(joe0::roofs(), everywhere(at_local_nodes, policy)).cause, cause) << policy;
  EXPECT_NE(read_point(joe0::roofs(), everywhere(at_local_nodes, "first-touch")).cause, cause);
}

TEST(Binding, NodeZeroIsContendedAndDiffersBetweenClusters) {
  Point point = on_node(0.98 * 16.7, 0, false);
  point.policy = "bind:0";
  const Reading first = read_point(joe0::roofs(), point);
  EXPECT_EQ(first.roof, "DRAM node 0, contended (load)");
  EXPECT_NEAR(first.reached_percent, 98, 1e-9);
  EXPECT_TRUE(says(first, "contention for node 0 binds it")) << first.cause;
  point = on_node(0.98 * 8.3, 0, false);
  point.cluster = 1;
  const Reading second = read_point(joe0::roofs(), point);
  EXPECT_EQ(second.roof, "DRAM node 0, contended (load)");
  EXPECT_NEAR(second.limit.value, 8.3, 1e-12);
}

// Under first touch the other clusters may use their own nodes, or this one too.
TEST(Binding, BesideBusyClustersDataOnTheOwnNodeMayBeTheirsAlone) {
  Point point = on_node(34.8, 0, false);
  for (const char* policy : {"first-touch", ""}) {
    point.policy = policy;
    const Reading reading = read_point(joe0::roofs(), point);
    EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
    EXPECT_TRUE(says(reading, "local memory binds it")) << reading.cause;
  }
  point.policy = "bind:0";  // all clusters use node 0
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "undecided between its memory and L3"));
  Point slower = on_node(16, 0, false);
  slower.policy = "first-touch";
  const Reading either = read_point(joe0::roofs(), slower);
  EXPECT_EQ(either.roof, "DRAM node 0, contended (load)");
  EXPECT_TRUE(says(either, "contention for node 0 may bind it")) << either.cause;
  EXPECT_TRUE(says(either, "its roof may also be DRAM node 0, local (load) (36.1 GB/s)")) << either.cause;
  EXPECT_NEAR(either.headroom_lo, 100 * (16.7 / 16 - 1), 1e-9);
  EXPECT_NEAR(either.headroom_hi, 100 * (36.1 / 16 - 1), 1e-9);
  const Reading others_node = read_point(joe0::roofs(), on_node(8, 1, false));
  EXPECT_TRUE(says(others_node, "contention for node 1 binds it")) << others_node.cause;
}

TEST(Binding, RemoteMemoryIsNamedWithWhatLocalWouldGive) {
  const Reading reading = read_point(joe0::roofs(), on_node(0.98 * 17.5, 1, true));
  EXPECT_EQ(reading.roof, "DRAM node 1, remote (load)");
  EXPECT_TRUE(says(reading, "98 % of the bandwidth of cluster 0 from node 1 (DRAM): remote memory binds it"))
      << reading.cause;
  EXPECT_TRUE(says(reading, "on node 0 (DRAM) it could be up to 2.1 times as fast")) << reading.cause;
}

TEST(Binding, ArithmeticBindsDgemmWhereverItsDataLies) {
  for (const int node : {0, 1, 3}) {
    Point dgemm = on_node(1, node, true);
    dgemm.flops = 0.93e9 * 1.99 * 2 * 4 * 7 * 1.7;
    dgemm.load_bytes = dgemm.flops / 2;  // well above any memory
    const Reading reading = read_point(joe0::roofs(), dgemm);
    EXPECT_EQ(reading.roof, "FMA DP");
    EXPECT_NEAR(reading.headroom_percent, 100 / 0.93 - 100, 1e-9);
    EXPECT_TRUE(says(reading, "arithmetic binds it; another placement gains little")) << reading.cause;
  }
}

// Random loads, divisions, roots and scalar operations are figures that no program is compared with by
// itself.
TEST(Binding, FiguresOfTheirOwnChangeNoReading) {
  Roofs more = joe0::roofs();
  for (const char* op : {"div", "sqrt", "add_scalar", "fma_scalar"})
    more.roofs.push_back(joe0::peak(0, op, 12));
  Roof random = joe0::bandwidth(0, "memory", "local", 0, 300);
  random.spec.kind = Kind::random;
  random.spec.op = operations::random;
  random.unit = "M/s";
  more.roofs.push_back(random);
  for (const double flops : {1e9, 11.9e9, 150e9}) {
    for (const double gb_per_s : {1.0, 30.0, 290.0}) {
      Point point = on_node(gb_per_s, 0, true);
      point.flops = flops;
      const Reading before = read_point(joe0::roofs(), point), after = read_point(more, point);
      EXPECT_EQ(before.roof, after.roof);
      EXPECT_EQ(before.cause, after.cause);
    }
  }
}

TEST(Binding, UnknownPrecisionIsTakenForDoubles) {
  Roofs roofs = joe0::roofs();
  roofs.roofs.push_back(joe0::peak(0, "add", 100));
  roofs.roofs.back().spec.precision = Precision::sp;
  roofs.roofs.push_back(joe0::peak(0, "fma", 380));
  roofs.roofs.back().spec.precision = Precision::sp;
  Point point = on_node(1, 0, true);
  point.precision = Precision::none;
  point.flops = 99e9;
  EXPECT_EQ(read_point(roofs, point).roof, "FMA DP");
  point.flops = 300e9;
  EXPECT_EQ(read_point(roofs, point).roof, "FMA SP");
  point.precision = Precision::sp;
  point.flops = 99e9;
  EXPECT_EQ(read_point(roofs, point).roof, "ADD SP");
}

TEST(Binding, FasterThanItsMemoryIsServedByCaches) {
  const Reading reading = read_point(joe0::roofs(), on_node(140, 1, true));
  EXPECT_EQ(reading.roof, "L3 (load)");
  EXPECT_TRUE(says(reading, "faster than the memory that holds its data, so caches serve it"))
      << reading.cause;
  EXPECT_FALSE(says(reading, "times as fast")) << reading.cause;
}

// A quarter of the bytes from node 1, the rest from L3, one after the other.
TEST(Binding, BetweenMemoryAndCacheSaysWhichMixTakesAsLong) {
  const Reading cached = read_point(joe0::roofs(), on_node(140, 1, true));
  const double memory = 17.5, cache = cached.limit.value;
  const double mixed = 1 / (0.25 / memory + 0.75 / cache);
  const Reading reading = read_point(joe0::roofs(), on_node(mixed, 1, true));
  EXPECT_EQ(reading.roof, "") << "either may limit it";
  EXPECT_TRUE(says(reading, "25 % of its bytes come from that memory and the rest from L3")) << reading.cause;
  EXPECT_TRUE(says(reading, "--level-bytes states it")) << reading.cause;
  EXPECT_FALSE(says(reading, "no bandwidth or peak explains it")) << reading.cause;
}

TEST(Binding, FarBelowEveryRoofIsNotBlamedOnBandwidth) {
  const Point point = on_node(2, 0, true);
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
  EXPECT_TRUE(says(reading, "no bandwidth or peak explains it")) << reading.cause;
  EXPECT_FALSE(says(reading, "binds")) << reading.cause;
}

TEST(Binding, AlmostNothingIsNotNothing) {
  EXPECT_TRUE(says(read_point(joe0::roofs(), on_node(0.1, 0, true)), "reaches less than 1 % of"));
}

TEST(Binding, EqualSharesOfSeveralNodesAreToldOnce) {
  EXPECT_EQ(shares_text({{0, 0.3}, {1, 0.2}, {2, 0.2}, {3, 0.2}, {5, 0.1}}),
            "30 % on node 0, 20 % on each of nodes 1 to 3, 10 % on node 5");
  EXPECT_EQ(shares_text({{0, 0.25}, {2, 0.25}, {3, 0.25}, {4, 0.25}}),
            "25 % on node 0, 25 % on each of nodes 2 to 4");
}

TEST(Binding, AStarvedPointIsNotBlamedOnWaiting) {
  Point point = on_node(2, 0, true);
  point.other_cpus = 1.9;
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(reading, "Other processes kept 1.9 CPUs busy while it was timed")) << reading.cause;
  EXPECT_FALSE(says(reading, "look for waiting")) << reading.cause;
}

TEST(Binding, UnknownPlacementIsSaid) {
  const Reading reading = read_point(joe0::roofs(), ddot(0.97 * 17.5));
  EXPECT_EQ(reading.roof, "DRAM node 1, remote (load)");
  EXPECT_TRUE(says(reading, "Where its data lies is not known")) << reading.cause;
  EXPECT_TRUE(says(reading, "remote memory may bind it")) << reading.cause;
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
  EXPECT_TRUE(says(unknown, "is simulated, and where its data lies")) << unknown.cause;
  EXPECT_FALSE(says(unknown, "bind")) << unknown.cause;
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
  EXPECT_TRUE(says(there, "whose interval is 18.1 to 36.1 GB/s: local memory may bind it")) << there.cause;
  const Reading below = read_point(roofs, on_node(0.39 * 36.1, 0, true));
  EXPECT_FALSE(says(below, "may bind")) << below.cause;
}

TEST(Binding, SplitOverNodesMeetsTheHybridRoof) {
  Point point = ddot(30);
  point.node_bytes = {{0, 500}, {1, 500}, {2, 3}};  // node 2: a library's pages
  const Reading unfitted = read_point(joe0::roofs(), point);
  EXPECT_EQ(unfitted.roof, "hybrid (50 % on node 0, 50 % on node 1)");
  EXPECT_NEAR(unfitted.limit.lo, 1 / (0.5 / 36.1 + 0.5 / 17.5), 1e-9);  // one transfer after the other
  EXPECT_NEAR(unfitted.limit.hi, 17.5 / 0.5, 1e-9);                     // until the slower one has finished
  EXPECT_TRUE(says(unfitted, "No hybrid model was fitted")) << unfitted.cause;
  EXPECT_FALSE(says(unfitted, "on node 0, 50 %")) << "the roof's name has it: " << unfitted.cause;
  EXPECT_TRUE(says(unfitted, "(hybrid) binds it")) << unfitted.cause;
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
  EXPECT_TRUE(says(fitted, "hybrid) binds it")) << fitted.cause;
  EXPECT_FALSE(says(fitted, "No hybrid model")) << fitted.cause;
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
  EXPECT_TRUE(says(reading, "97 % of an even share of the bandwidth of node 0 (DRAM)")) << reading.cause;
  EXPECT_TRUE(says(reading, "contention for node 0 binds it")) << reading.cause;
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
  EXPECT_TRUE(says(reading, "whose interval is 9.0 to 16.7 GB/s: contention for node 0 may bind it"))
      << reading.cause;
  EXPECT_NEAR(reading.headroom_percent, 100 * (36.1 / (4 * 8.42) - 1), 1e-9);
  EXPECT_NEAR(reading.headroom_hi, 100 * (16.7 / 8.42 - 1), 1e-9);
  EXPECT_TRUE(says(reading, "on its own cluster's node (DRAM) it could be up to 4.0 times as fast"))
      << reading.cause;
}

TEST(Binding, StandingAtARoofIsNoHeadroomAndAboveAllIsNoRoof) {
  const Reading at = read_point(joe0::roofs(), on_node(1.02 * 36.1, 0, true));
  EXPECT_EQ(at.roof, "DRAM node 0, local (load)");
  EXPECT_EQ(at.headroom_percent, 0);
  const Reading above = read_point(joe0::roofs(), on_node(2000, 0, true));
  EXPECT_EQ(above.roof, "");
  EXPECT_TRUE(says(above, "is above every roof")) << above.cause;
  Point everyones = everywhere(3, "interleave");
  everyones.cluster = -1;
  EXPECT_NEAR(read_point(Roofs{}, everyones).gb_per_s, 3, 1e-9);
  const Reading none = read_point(Roofs{}, ddot(3));
  EXPECT_EQ(none.roof, "");
  EXPECT_TRUE(says(none, "no roofs of cluster 0")) << none.cause;
}

// Right of the ridge point a memory's roof is above the peak and does not bind.
TEST(Binding, AboveThePeakThereIsNoRoofThoughAMemoryWouldGiveMore) {
  Point point = on_node(1, 0, true);  // far below the memory's 36.1 GB/s
  point.flops = 200 * (point.load_bytes + point.store_bytes);
  const Reading above = read_point(joe0::roofs(), point);
  EXPECT_NEAR(above.gflop_per_s, 200, 1e-9);  // of 189.4
  EXPECT_EQ(above.roof, "");
  EXPECT_TRUE(says(above, "the highest peak")) << above.cause;
  point.flops *= 0.9;
  EXPECT_EQ(read_point(joe0::roofs(), point).limit.kind, Limit::Kind::flops);
}

TEST(Binding, WithoutFlopsOrWithoutBytes) {
  Point integers = on_node(0.9 * 36.1, 0, true);
  integers.flops = 0;
  EXPECT_EQ(read_point(joe0::roofs(), integers).roof, "DRAM node 0, local (load)");
  Point registers = ddot(0);
  registers.flops = 40e9;
  const Reading reading = read_point(joe0::roofs(), registers);
  EXPECT_EQ(reading.roof, "ADD DP");
  EXPECT_TRUE(std::isinf(reading.flop_per_byte));
}

TEST(Binding, TheOperationNearestToTheMixIsTheRoof) {
  Roofs roofs = joe0::roofs();
  for (const auto& [op, value] : {std::pair("store", 15.0), {"mix2_1", 25.0}, {"store_nt", 20.0}}) {
    roofs.roofs.push_back(joe0::bandwidth(0, "memory", "local", 0, value));
    roofs.roofs.back().spec.op = Operation(op);
  }
  Point point = on_node(24, 0, true);
  point.store_bytes = 8e9;
  point.load_bytes = 16e9;
  EXPECT_EQ(read_point(roofs, point).roof, "DRAM node 0, local (mix2_1)");
  point.store_bytes = 19e9;
  point.load_bytes = 0;
  EXPECT_EQ(read_point(roofs, point).roof, "DRAM node 0, local (store_nt)");  // the better of two stores
}

TEST(Binding, AnInvalidRoofBindsNothing) {
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) {
    if (roof.spec.pattern == Pattern::local) roof.status = Status::invalid;
  }
  const Reading reading = read_point(roofs, on_node(30, 0, true));
  EXPECT_EQ(reading.roof, "");
  EXPECT_TRUE(says(reading, "no roof of cluster 0 is known for where its data lies")) << reading.cause;
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

TEST(Binding, ThePeakIsThatOfTheOperations) {
  Point point = on_node(1, 0, true);
  point.flops = 0.93 * 94.7e9;  // of the 94.7 of multiplications; FMA: 189.4
  Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "MUL DP");
  EXPECT_TRUE(says(reading, " % of the FMA DP peak")) << reading.cause;
  point.fma_flops_percent = 99;
  reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "FMA DP");
  EXPECT_NEAR(reading.reached_percent, 46.5, 0.1);
  EXPECT_FALSE(says(reading, "the peak of additions")) << reading.cause;
  point.fma_flops_percent = 0;
  reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "MUL DP");
  EXPECT_FALSE(says(reading, "the peak of additions")) << reading.cause;
}

// The peaks of other operations may be lower or higher.
TEST(Binding, APointOfOneOperationHasThePeakOfThat) {
  Roofs roofs = joe0::roofs();
  roofs.roofs.push_back(joe0::peak(0, "add", 100));
  Point point = on_node(1, 0, true);
  for (const auto& [operation, gflop, roof] : {std::tuple{"add", 94.0, "ADD DP"},
                                               {"mul", 94.0, "MUL DP"},
                                               {"add", 99.0, "ADD DP"},
                                               {"mul", 99.0, ""},
                                               {"add", 120.0, ""},
                                               {"", 120.0, "FMA DP"}}) {
    point.operation = Operation(operation);
    point.fma_flops_percent = 0;
    point.flops = gflop * 1e9;
    EXPECT_EQ(read_point(roofs, point).roof, roof) << operation << " " << gflop;
  }
  std::erase_if(roofs.roofs, [](const Roof& roof) { return roof.spec.op == operations::add; });
  point.operation = operations::add;
  EXPECT_EQ(read_point(roofs, point).roof, "FMA DP") << "its own is not known";
}

TEST(Binding, APeakThatIsNotKnownIsSaid) {
  Point point = on_node(0.05, 0, true);
  point.precision = Precision::sp;
  point.flops = 300e9;
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "No SP peak of cluster 0 is known"));
  point.flops = 0;
  EXPECT_FALSE(says(read_point(joe0::roofs(), point), "peak of cluster 0 is known"));
}

}  // namespace
}  // namespace gable::model
