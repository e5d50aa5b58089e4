// Roofs of more threads than a program uses cores.

#include "model/points/needs/fewer_cores.hpp"

#include <gtest/gtest.h>

#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

// One thread on a machine whose roofs are of seven.
Point on_one_core() {
  Point point = program(1e9, 40e9, 0, 1, {bytes("L2", 30e9), bytes("L3", 10e9), bytes("memory", 3e9)});
  point.threads = 1;
  return point;
}

Roofs with_ladder() {
  Roofs roofs = joe0::roofs();
  for (const auto& [bytes, gb_per_s] :
       {std::pair(16 << 10, 120.0), {48 << 10, 90.0}, {128 << 10, 60.0}, {2 << 20, 25.0}, {512 << 20, 9.0}}) {
    Roof step = joe0::bandwidth(0, "any", "ladder", 0, gb_per_s);
    step.spec.threads = 1;
    step.spec.bytes = static_cast<std::uint64_t>(bytes);
    roofs.ladder.push_back(step);
  }
  for (const auto& [level, bytes] : {std::pair("L1", 32 << 10), {"L2", 256 << 10}, {"L3", 16 << 20}})
    roofs.levels.push_back({0, Level(level), static_cast<std::uint64_t>(bytes), 0, true, {}});
  return roofs;
}

Need need_at(const std::vector<Need>& needs, const char* level) {
  for (const Need& need : needs) {
    if (need.limit.level == Level(level)) return need;
  }
  return {};
}

TEST(FewerCores, OneThreadIsComparedWithItsLadder) {
  const std::vector<Need> needs = needs_of(with_ladder(), on_one_core(), 0, {});
  EXPECT_NEAR(need_at(needs, "L1").share, 40 / 120.0, 1e-9);
  EXPECT_NEAR(need_at(needs, "L2").share, 30 / 60.0, 1e-9) << "48 KiB are partly in L1";
  EXPECT_NEAR(need_at(needs, "L3").share, 10 / 25.0, 1e-9);
  EXPECT_NEAR(need_at(needs, "memory").share, 3 / 9.0, 1e-9);
  EXPECT_TRUE(says(read_point(with_ladder(), on_one_core()), "estimated for 1 core from the ladder"))
      << read_point(with_ladder(), on_one_core()).verdict.text();
  // Three threads reach three times as much, but not more than seven; seven are compared with their roof.
  Point point = on_one_core();
  point.threads = 3;
  EXPECT_NEAR(need_at(needs_of(with_ladder(), point, 0, {}), "L3").share, 10 / 75.0, 1e-9);
  EXPECT_NEAR(need_at(needs_of(with_ladder(), point, 0, {}), "memory").share, 3 / 27.0, 1e-9);
  point.threads = 6;
  EXPECT_NEAR(need_at(needs_of(with_ladder(), point, 0, {}), "memory").share, 3 / 36.1, 1e-9);
  point.threads = 7;
  EXPECT_NEAR(need_at(needs_of(with_ladder(), point, 0, {}), "L2").share, 30 / 309.2, 1e-9);
}

// By its latencies, a core has a quarter of its L2, but of 128 KiB that are read in order it still serves
// most.
TEST(FewerCores, AStepThatTheCacheBeforeMayServeIsNotTheNextOnes) {
  Roofs roofs = with_ladder();
  CacheLevel& second = roofs.levels.at(1);
  second.measured_bytes = second.claimed_bytes / 4;
  second.confirmed = false;
  EXPECT_NEAR(need_at(needs_of(roofs, on_one_core(), 0, {}), "L3").share, 10 / 25.0, 1e-9);
}

// The ladder is of one kernel, and another one may be faster in this cache with all threads.
TEST(FewerCores, OneThreadIsComparedWithAllOfTheSameKernel) {
  Roofs roofs = with_ladder();
  for (Roof& step : roofs.ladder) step.spec.kernel = "load_avx512";
  const double before = part_of_one_thread(roofs, joe0::bandwidth(0, "L2", "cache", -1, 0).spec);
  for (const auto& [kernel, value] : {std::pair("load_avx512", 360.0), {"load_avx2", 720.0}}) {
    Roof roof = joe0::bandwidth(0, "L2", "cache", -1, value);
    roof.spec.kernel = kernel;
    roofs.roofs.push_back(roof);
  }
  EXPECT_GT(before, 0) << "of the fastest kernel, if the ladder's was not measured";
  EXPECT_NEAR(part_of_one_thread(roofs, roofs.roofs.back().spec), 60.0 / 360, 1e-9);
  EXPECT_NEAR(need_at(needs_of(roofs, on_one_core(), 0, {}), "L2").share, 30 / 120.0, 1e-9);
}

// One core gets a part of the claimed cache: the ladder falls to the memory's rate beyond the claim alone.
TEST(FewerCores, TheMemorysRateIsTakenWhereNoCacheHelps) {
  Roofs roofs = with_ladder();
  for (CacheLevel& cache : roofs.levels) {
    if (cache.level != Level::cache(3)) continue;
    cache.claimed_bytes = 64 << 20;
    cache.measured_bytes = 4 << 20;
    cache.confirmed = false;
  }
  Roof step = roofs.ladder.back();
  step.spec.bytes = 32 << 20;
  step.value = 20;
  roofs.ladder.push_back(step);
  EXPECT_EQ(rate_of_one_thread(roofs, 0, Level::memory()), 9);
  EXPECT_EQ(rate_of_one_thread(roofs, 0, Level::cache(3)), 25);
}

// Steps at the edges count where there are no others; a size that was not measured is the claimed one.
TEST(FewerCores, ANarrowLevelHasItsSteps) {
  Roofs roofs = with_ladder();
  for (CacheLevel& cache : roofs.levels) {
    if (cache.level == Level::cache(2)) cache = {0, Level::cache(2), 1 << 20, 0, false, Note("unclear")};
    if (cache.level == Level::cache(3)) cache = {0, Level::cache(3), 16 << 20, 2 << 20, false, {}};
  }
  EXPECT_EQ(rate_of_one_thread(roofs, 0, Level::cache(2)), 60);
  EXPECT_EQ(rate_of_one_thread(roofs, 0, Level::cache(3)), 25);
  roofs.levels.clear();
  EXPECT_EQ(rate_of_one_thread(roofs, 0, Level::memory()), 0) << "no size is known";
}

// Without a ladder a cache may give one core its part, or all.
TEST(FewerCores, WithoutALadderTheRoofIsAnInterval) {
  const Need l2 = need_at(needs_of(joe0::roofs(), on_one_core(), 0, {}), "L2");
  EXPECT_NEAR(l2.lo, 30 / 309.2, 1e-9);
  EXPECT_NEAR(l2.hi, 7 * 30 / 309.2, 1e-9);
  EXPECT_TRUE(says(read_point(joe0::roofs(), on_one_core()), "what 1 core of these reach was not measured"));
}

// What one thread was measured with counts as it is.
TEST(FewerCores, RoofsOfOneThreadCount) {
  Roofs roofs = with_ladder();
  Roof one = joe0::bandwidth(0, "L2", "cache", -1, 70);
  one.spec.threads = 1;
  roofs.roofs.push_back(one);
  EXPECT_NEAR(need_at(needs_of(roofs, on_one_core(), 0, {}), "L2").share, 30 / 70.0, 1e-9);
}

// The roof of one core is between a seventh of all cores' and all of it: that is no headroom of 1000 %.
TEST(FewerCores, ARoofBetweenPartAndAllLeavesNoHeadroom) {
  Point point = program(1e9, 60e9, 0, 1, {bytes("L2", 1e9), bytes("memory", 1e6)});
  point.threads = 1;
  const Reading reading = read_point(joe0::roofs(), point);
  const Need need = needs_of(joe0::roofs(), point, 0, {}).front();
  ASSERT_LT(need.lo, need.share / 2);
  ASSERT_FALSE(reading.roof.empty()) << reading.verdict.text();
  EXPECT_FALSE(reading.headroom_known) << reading.headroom_hi;
}

}  // namespace
}  // namespace gable::model
