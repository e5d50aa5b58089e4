#include "model/points/needs/needs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/json/points.hpp"
#include "model/points/needs/advice.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

// Conjugate gradients: instructions access twice what the memory transfers.
TEST(Needs, OfConjugateGradientsTheMemoryBindsAlthoughInstructionsAccessMore) {
  Point point = program(6.89e9, 66.08e9, 5.61e9, 1.04, {});
  EXPECT_EQ(read_point(joe0::roofs(), point).roof, "") << "no roof is named without the bytes by level";
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "is undecided"))
      << read_point(joe0::roofs(), point).verdict.text();
  point.levels = {bytes("L2", 50e9, 2e9), bytes("L3", 40e9, 1e9), bytes("memory", 36.5e9, 0.8e9)};
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "DRAM node 0, local (load)");
  EXPECT_TRUE(says(reading, "local memory binds it")) << reading.verdict.text();
  EXPECT_NEAR(reading.reached_percent, 100 * (36.5 / 1.04) / 36.1, 1e-9);
  EXPECT_LT(reading.headroom_percent, 5);
}

// A stencil of seven points stores as many bytes as it fetches besides: 24 bytes a point.
TEST(Needs, AStencilIsComparedWithTheMixAtItsMemory) {
  Roofs roofs = joe0::roofs();
  Roof copy = joe0::bandwidth(0, "memory", "local", 0, 25);
  copy.spec.op = Operation("copy");
  roofs.roofs.push_back(copy);
  Roof past_caches = copy;
  past_caches.spec.op = Operation("copy_nt");
  past_caches.value = past_caches.lo = past_caches.hi = 34;
  roofs.roofs.push_back(past_caches);
  constexpr double points = 1e9;  // of all sweeps
  const Point point = program(8 * points, 56 * points, 8 * points, 16 * points / 24.5e9,
                              {bytes("L2", 40 * points, 8 * points), bytes("L3", 24 * points, 8 * points),
                               bytes("memory", 16 * points, 8 * points)});
  const Reading reading = read_point(roofs, point);
  EXPECT_EQ(reading.roof, "DRAM node 0, local (copy)");
  EXPECT_NEAR(reading.reached_percent, 98, 0.01);
  EXPECT_TRUE(says(reading, "local memory binds it")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "store past the caches")) << reading.verdict.text();
}

// A triad that stores past the caches: two arrays are read and one is written, and the memory is compared
// with a kernel that moves as much.
TEST(Needs, StoresPastTheCachesFetchNothing) {
  constexpr double array = 8e9;
  Point triad =
      program(2e9, 2 * array, array, 1, {bytes("L2", 2 * array), bytes("memory", 2 * array, array)});
  triad.levels.back().streamed = array;
  EXPECT_NEAR(share_of(needs_of(joe0::roofs(), triad, 0, {}), "DRAM"), 3 * array / 36.1e9, 1e-9);
  EXPECT_FALSE(says(read_point(joe0::roofs(), triad), "store past the caches"));
  EXPECT_EQ(points_from_json(points_to_json({triad}, {Reading{}}), "p"), std::vector{triad});
  triad.levels.back().streamed = 2 * array;
  EXPECT_NE(contradiction(triad), "") << "more than is written";
}

// A transpose of a power of two, whose columns fall into few sets of L1.
TEST(Needs, BytesAreThoseOfTheTables) {
  constexpr double gib = 1 << 30;
  Point point =
      program(1e9, 80e9, 10e9, 1, {bytes("L2", 30e9), bytes("L3", 30e9), bytes("memory", 32 * gib)});
  const auto reading = [&] { return read_point(joe0::roofs(), point); };
  EXPECT_TRUE(says(reading(), "of its time for 32 GiB at the bandwidth")) << reading().verdict.text();
  point.levels.back().written = 8 * gib;
  EXPECT_TRUE(says(reading(), "of its time for 32 GiB read and 8 GiB written at the bandwidth"))
      << reading().verdict.text();
}

// L1 may load the same lines again and again, at a bandwidth that would not bind it.
TEST(Needs, ConflictsAreTheAdviceWhereNothingBinds) {
  Point point = program(1e9, 40e9, 1e9, 1, {bytes("L2", 10e9), bytes("L3", 6e6), bytes("memory", 6e6)});
  const auto reading = [&] { return read_point(joe0::roofs(), point); };
  ASSERT_TRUE(says(reading(), "is bound by none of its transfers")) << reading().verdict.text();
  EXPECT_TRUE(says(reading(), "look for waiting"));
  point.levels.front().conflicts = 0.7 * 10e9;
  EXPECT_TRUE(says(reading(), "pad rows or arrays by a line: 70 % of the bytes from L2 are conflicts"))
      << reading().verdict.text();
  point.levels.front().read = 1e9;
  point.levels.front().conflicts = 0.7 * 1e9;
  EXPECT_FALSE(says(reading(), "pad rows")) << "few bytes";
}

TEST(Needs, ConflictsInL1AreTold) {
  Point point = program(1e9, 80e9, 10e9, 1, {bytes("L2", 1e9), bytes("L3", 6e6), bytes("memory", 6e6)});
  const double share = share_of(needs_of(joe0::roofs(), point, 0, {}), "L2");
  ASSERT_GT(share, 0);
  point.levels.front().read *= 0.95 / share;
  point.load_bytes = point.levels.front().read;
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "while it is in the cache before it"))
      << read_point(joe0::roofs(), point).verdict.text();
  point.levels.front().conflicts = 0.4 * point.levels.front().read;
  EXPECT_FALSE(says(read_point(joe0::roofs(), point), "pad rows"));
  point.levels.front().conflicts = 0.6 * point.levels.front().read;
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "pad rows or arrays by a line"))
      << read_point(joe0::roofs(), point).verdict.text();
  EXPECT_EQ(points_from_json(points_to_json({point}, {Reading{}}), "p"), std::vector{point});
  point.levels.front().conflicts = 1.1 * point.levels.front().read;
  EXPECT_NE(contradiction(point), "") << "more than the level transfers";
}

// What fits in a cache is not bound by the memory, at whatever rate its instructions access it.
TEST(Needs, DataInACacheDoesNotBlameTheMemory) {
  Point point = program(1e9, 36.1e9, 0, 1, {bytes("L2", 36.1e9), bytes("L3", 36.1e9), bytes("memory", 6e6)});
  Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "");
  EXPECT_FALSE(reading.headroom_known);
  EXPECT_TRUE(says(reading, "is bound by none of its transfers")) << reading.verdict.text();
  EXPECT_FALSE(says(reading, "memory binds")) << reading.verdict.text();
  point.other_cpus = 1.5;
  reading = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(reading, "is undecided, because other programs took its time")) << reading.verdict.text();
  // A need of more than 40 % is compared with a time that others took a part of, too.
  Point most = point;
  most.levels.back().read = 0.6 * 36.1e9;
  most.user_seconds = 0.5 * most.threads;
  reading = read_point(joe0::roofs(), most);
  EXPECT_TRUE(says(reading, "is undecided, because other programs took its time")) << reading.verdict.text();
  EXPECT_FALSE(reading.headroom_known);
  // Its threads ran all the time, so the others took none of it. They may have used the memory.
  point.user_seconds = 0.99 * point.threads;
  reading = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(reading, "is bound by none of its transfers")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "Other processes or guests had 1.5 CPUs")) << reading.verdict.text();
  point.levels.back().read = 0.35 * 36.1e9;
  reading = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(reading, "because other programs used the memory, too")) << reading.verdict.text();
  point.other_cpus = 0;
  EXPECT_TRUE(says(read_point(joe0::roofs(), point), "is bound by none of its transfers"));
}

TEST(Needs, ArithmeticBindsWhatIsBlockedForCaches) {
  Point point =
      program(0.93 * 189.4e9, 300e9, 1e9, 1, {bytes("L2", 60e9), bytes("L3", 20e9), bytes("memory", 2e9)});
  point.fma_flops_percent = 100;
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_EQ(reading.roof, "FMA DP");
  EXPECT_TRUE(says(reading, "arithmetic binds it")) << reading.verdict.text();
}

// Half of the operations are fused: the time of both kinds adds up.
TEST(Needs, FusedAndSingleOperationsShareTheUnits) {
  Point point = program(100e9, 1e9, 0, 1, {bytes("memory", 1e6)});
  point.fma_flops_percent = 50;
  const double fma = 1.99 * 2 * 4 * 7 * 1.7, add = 0.99 * 4 * 7 * 1.7;
  EXPECT_NEAR(share_of(needs_of(joe0::roofs(), point, 0, {}), "FMA"), 50 / fma + 50 / add, 1e-9);
}

// Each thread waits for one line after the other.
TEST(Needs, ChainsTakeTheLatencyOfTheLevelThatServesThem) {
  constexpr double lines = 7 * 1e7;
  const Point chase =
      program(0, 64 * lines, 0, 1.02,
              {bytes("L2", 64 * lines, 0, 0, 64 * lines), bytes("L3", 64 * lines, 0, 0, 64 * lines),
               bytes("memory", 64 * lines, 0, 0, 64 * lines)});
  const Reading reading = read_point(with_chases(), chase);
  EXPECT_NEAR(reading.reached_percent, 100 / 1.02, 1e-9);
  EXPECT_TRUE(says(reading, "the latency of loads that wait for each other binds it"))
      << reading.verdict.text();
  // Half of the lines are served by L3.
  Point half = chase;
  half.levels.back().read = half.levels.back().chained = 32 * lines;
  EXPECT_NEAR(share_of(needs_of(with_chases(), half, 0, {}), "latency"), (0.5 + 0.1) / 1.02, 1e-9);
  // Without latencies nothing is said about chains.
  EXPECT_EQ(share_of(needs_of(joe0::roofs(), chase, 0, {}), "latency"), -1);
}

// Four chains at once are faster than one after the other: the need is a range, and no contradiction.
TEST(Needs, ChainsThatOverlapAreARange) {
  constexpr double lines = 7 * 4e7;
  const Point chase = program(0, 64 * lines, 0, 1.02, {bytes("memory", 64 * lines, 0, 0, 64 * lines)});
  for (const Need& need : needs_of(with_chases(), chase, 0, {})) {
    if (need.limit.kind != Limit::Kind::chain) continue;
    EXPECT_TRUE(need.is_range);
    EXPECT_LE(need.lo, need.hi);
    EXPECT_LE(need.hi, 1);
  }
  EXPECT_FALSE(says(read_point(with_chases(), chase), "not from the same machine"));
}

// Searches that do not wait for each other: three side by side with room for 512 instructions, two with half
// of it.
TEST(Needs, ChainsOfIndependentSearchesOverlap) {
  constexpr double lines = 7 * 4e6;
  Point search = program(0, 64 * lines, 0, 1.02, {bytes("memory", 64 * lines, 0, 0, 64 * lines)});
  const double one_by_one = share_of(needs_of(with_chases(), search, 0, {}), "latency");
  search.instructions.executed = 10 * lines;
  search.instructions.chained_loads = lines;
  search.instructions.chain_steps = lines / 3;
  const Roofs roofs = with_chases();
  const Need need = need_of(needs_of(roofs, search, 0, {}), Limit::Kind::chain);
  EXPECT_NEAR(need.lo, one_by_one / 3, 0.01) << "with room for 512";
  EXPECT_NEAR(need.hi, one_by_one / 1.5, 0.01) << "with room for 128";
  EXPECT_GT(need.share, need.lo);
  EXPECT_LT(need.share, need.hi);
  search.seconds = search.seconds_lo = search.seconds_hi = 0.25;
  const Reading fast = read_point(roofs, search);
  EXPECT_TRUE(says(fast, "1.9 chains side by side")) << fast.verdict.text();
}

// A hash join: lines without an order. How much overlaps is not known, so it is no thousand per cent.
TEST(Needs, IrregularLinesLeaveItUndecided) {
  constexpr double lines = 180e6;
  const Point join = program(0, 32 * lines, 0, 1,
                             {bytes("L2", 64 * lines, 0, 64 * lines), bytes("L3", 64 * lines, 0, 64 * lines),
                              bytes("memory", 64 * lines, 0, 64 * lines)});
  const Reading reading = read_point(with_chases(), join);
  EXPECT_TRUE(says(reading, "irregular access to memory")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "is undecided")) << reading.verdict.text();
  EXPECT_FALSE(reading.headroom_known);
}

// With the rate of random loads it is decided: 200 million lines per second with pages of 2 MiB, 185 with 4
// KiB.
TEST(Needs, IrregularLinesAreComparedWithRandomLoads) {
  Roofs roofs = with_chases();
  for (const double rate : {200.0, 185.0}) {
    Roof roof = joe0::bandwidth(0, "memory", "local", 0, rate);
    roof.spec.kind = Kind::random;
    roof.spec.op = operations::random;
    roof.unit = "M/s";
    roofs.roofs.push_back(roof);
    roof.spec.node = 1;
    roof.spec.pattern = Pattern::remote;
    roof.value = roof.lo = roof.hi = 90;
    roofs.roofs.push_back(roof);
  }
  constexpr double lines = 180e6;
  const Point join = program(0, 32 * lines, 0, 1, {bytes("memory", 64 * lines, 0, 64 * lines)});
  const Reading reading = read_point(roofs, join);
  EXPECT_TRUE(says(reading, "irregular access to memory probably binds it")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "180 million lines")) << reading.verdict.text();
  EXPECT_FALSE(reading.headroom_known) << "another loop may be faster than the measured one";
}

// The advice does not blame a remote memory in which the data may not lie.
TEST(Needs, AnUnknownLocationIsTold) {
  Point point = program(1e9, 40e9, 0, 1, {bytes("memory", 15e9)});
  EXPECT_FALSE(says(read_point(joe0::roofs(), point), "Where its data lies is not known"));
  point.node_bytes.clear();
  const Reading reading = read_point(joe0::roofs(), point);
  EXPECT_TRUE(says(reading, "Where its data lies is not known")) << reading.verdict.text();
  EXPECT_FALSE(says(reading, "place its data")) << reading.verdict.text();
}

// The fitted model is of non-temporal stores: all transfers of the memory count, and a store fetches nothing.
TEST(Needs, AFittedMixIsComparedWithAllThatTheMemoriesTransfer) {
  Point point = program(1e9, 20e9, 10e9, 1, {bytes("memory", 15e9, 5e9)});
  point.node_bytes = {{0, 1u << 30}, {1, 1u << 30}};
  double loads = 0, all = 0;
  const MixModel model = [&](int, int, const std::map<int, LoadStore>& nodes, const auto&) {
    loads = all = 0;
    for (const auto& [node, its] : nodes) {
      loads += its.load;
      all += its.sum();
    }
    MixBandwidth fitted;
    fitted.value = 40 * loads / all;
    return fitted;
  };
  const double share = share_of(needs_of(joe0::roofs(), point, 0, model), "hybrid");
  EXPECT_NEAR(loads / all, 15.0 / 20, 1e-9);
  EXPECT_NEAR(share, 20 / (40 * 0.75), 1e-9);
}

TEST(Needs, TwoAlikeAreBothNamed) {
  const Point point = program(1e9, 200e9, 0, 1, {bytes("L3", 0.95 * 154e9), bytes("memory", 0.93 * 36.1e9)});
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) {
    roof.lo = 0.95 * roof.value;
    roof.hi = 1.05 * roof.value;
  }
  const Reading reading = read_point(roofs, point);
  EXPECT_TRUE(says(reading, "is undecided: L3 (95 %) or local memory (93 %) may bind it"))
      << reading.verdict.text();
}

// A disturbed measurement of L1 left a wide interval, and the divider needs more by all best figures.
TEST(Needs, ARoofOfAWideIntervalDoesNotHideTheLargestNeed) {
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) {
    if (is_first_cache(roof.spec.level)) roof.lo = 0.02 * roof.value;
  }
  for (const double share : {0.3, 0.73}) {
    Point point = program(1e9, 0.025 * 760.1e9, 0, 1, {bytes("memory", share * 36.1e9)});
    point.functions = {{"all", "app", point.flops, point.load_bytes, 0, point.levels}};
    EXPECT_FALSE(says(read_point(joe0::roofs(), point), "L1 ("))
        << read_point(joe0::roofs(), point).verdict.text();
    const Reading reading = read_point(roofs, point);
    const std::string part = std::to_string(std::lround(100 * share));
    EXPECT_TRUE(says(reading, "the largest need is local memory (" + part + " %), but L1 ("))
        << reading.verdict.text();
    EXPECT_TRUE(says(reading, "or up to 125 % by the interval of its roof) may bind it"))
        << reading.verdict.text();
    EXPECT_TRUE(says(reading, "Local memory: " + part + " % of its time")) << reading.verdict.text();
    EXPECT_FALSE(reading.headroom_known);
    ASSERT_EQ(reading.functions.size(), 1);
    EXPECT_EQ(reading.functions.front().what, "local memory");
  }
  // What binds by itself is named first as well.
  const Point bound = program(1e9, 0.025 * 760.1e9, 0, 1, {bytes("memory", 0.9 * 36.1e9)});
  EXPECT_TRUE(
      says(read_point(roofs, bound), "is undecided: local memory (90 %) or L1 (2 %, or up to 125 % by"))
      << read_point(roofs, bound).verdict.text();
}

// Chance may write back more than is known; where that is little, nothing is said.
TEST(Needs, WriteBacksThatAreALowerBoundAreTold) {
  Point point = program(1e9, 60e9, 20e9, 1, {bytes("L2", 30e9, 10e9), bytes("memory", 26e9, 4e9)});
  EXPECT_FALSE(says(read_point(joe0::roofs(), point), "lower bound"));
  point.levels.back().written_more = 2e9;
  EXPECT_FALSE(says(read_point(joe0::roofs(), point), "lower bound"));
  point.levels.front().written_more = 20e9;
  EXPECT_FALSE(says(read_point(joe0::roofs(), point), "lower bound")) << "L2 does not bind it";
  point.levels.back().written_more = 6e9;
  EXPECT_TRUE(says(read_point(joe0::roofs(), point),
                   "What it writes back to memory is a lower bound, and may be up to 5.588 GiB more"))
      << read_point(joe0::roofs(), point).verdict.text();
  EXPECT_EQ(points_from_json(points_to_json({point}, {Reading{}}), "p"), std::vector{point});
}

// The work of each core: nine tenths of it in one of seven threads take 6.3 times as long as seven even
// parts. What the cores share takes as long as before.
TEST(Needs, WhatEachCoreHasIsOfTheBusiestThread) {
  Roofs roofs = joe0::roofs();
  for (Roof& roof : roofs.roofs) {
    roof.clock_ghz = 2;
    roof.adds_per_cycle = 4;
  }
  Point point = program(1e9, 20e9, 0, 1, {bytes("L2", 10e9), bytes("memory", 1e9)});
  point.instructions.integer = 1e9;
  point.translation = Translation{{1e6, 0.1, 0.1}, {}};
  point.huge_pages_percent = 0;
  const std::vector<Need> even = needs_of(roofs, point, 0, {});
  point.span = 0.9;
  const std::vector<Need> uneven = needs_of(roofs, point, 0, {});
  for (const auto kind :
       {Limit::Kind::flops, Limit::Kind::integer, Limit::Kind::walks, Limit::Kind::memory}) {
    const double times = kind == Limit::Kind::memory ? 1 : 0.9 * 7;
    ASSERT_GT(need_of(even, kind).hi, 0) << static_cast<int>(kind);
    EXPECT_NEAR(need_of(uneven, kind).hi / need_of(even, kind).hi, times, 1e-9) << static_cast<int>(kind);
  }
  EXPECT_NEAR(share_of(uneven, "L1") / share_of(even, "L1"), 0.9 * 7, 1e-9);
  EXPECT_NEAR(share_of(uneven, "L2") / share_of(even, "L2"), 1, 1e-9) << "cores may share it";
}

TEST(Needs, FewScalarFlopsAreNoReasonToVectorize) {
  Point point = program(1e9, 20e9, 0, 1, {bytes("memory", 1e9)});
  point.scalar_flops_percent = 100;
  point.instructions.executed = 2e9;
  EXPECT_NE(instructions_advice(point).find("most flops are scalar"), std::string::npos);
  point.instructions.executed = 50e9;
  EXPECT_EQ(instructions_advice(point).find("most flops are scalar"), std::string::npos);
}

}  // namespace
}  // namespace gable::model
