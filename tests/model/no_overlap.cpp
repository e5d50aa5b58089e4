// Programs that may compute and transfer data one after the other, because prefetches come too late.

#include "model/points/needs/no_overlap.hpp"

#include <gtest/gtest.h>

#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

constexpr double memory_rate = 36.1e9, cache_rate = 154e9, additions = 0.99 * 4 * 7 * 1.7e9;

// A second of two functions. "sweep" computes and fetches lines of memory in order for these parts of the
// time, and "setup" does little.
Point sweeps(double computing, double memory, double cache = 0) {
  const auto levels = [](double l3, double dram) {
    const double last = memory_rate * dram;
    return std::vector{bytes("L2", cache_rate * l3 + last), bytes("L3", cache_rate * l3 + last),
                       bytes("memory", last)};
  };
  Point point = program(additions * computing, 60e9, 0, 1, levels(cache, memory));
  point.arithmetic = {{operations::add, Precision::dp, 256, point.flops}};
  FunctionWork sweep = {"sweep", "app", point.flops, point.load_bytes, 0, point.levels};
  sweep.arithmetic = point.arithmetic;
  FunctionWork setup = {"setup", "app", 0, 1e9, 0, levels(0.01, 0.01)};
  point.functions = {setup, sweep};
  return point;
}

std::string verdict_of(const Point& point) {
  return read_point(joe0::roofs(), point).verdict.text();
}

bool advises_prefetches(const Point& point) {
  return verdict_of(point).find("software prefetches in sweep") != std::string::npos;
}

TEST(NoOverlap, OfAProgramThatNeitherPartBindsIsTold) {
  const std::string verdict = verdict_of(sweeps(0.38, 0.35, 0.1));
  EXPECT_TRUE(verdict.starts_with("may compute and transfer data one after the other")) << verdict;
  EXPECT_TRUE(advises_prefetches(sweeps(0.38, 0.35, 0.1))) << verdict;
  EXPECT_EQ(verdict.find("look for"), std::string::npos) << verdict;
}

TEST(NoOverlap, OfAProgramOfWhichOnePartTakesMostIsARemark) {
  for (const auto& [computing, memory] : {std::pair(0.55, 0.35), {0.3, 0.6}}) {
    const std::string verdict = verdict_of(sweeps(computing, memory));
    EXPECT_NE(verdict.find("takes most"), std::string::npos) << verdict;
    EXPECT_TRUE(advises_prefetches(sweeps(computing, memory))) << verdict;
  }
}

// What binds a program explains its time by itself.
TEST(NoOverlap, OfAProgramThatOnePartBindsIsNotTold) {
  EXPECT_FALSE(advises_prefetches(sweeps(0.95, 0.4))) << verdict_of(sweeps(0.95, 0.4));
  EXPECT_FALSE(advises_prefetches(sweeps(0.4, 0.95))) << verdict_of(sweeps(0.4, 0.95));
}

TEST(NoOverlap, IsNotTheReasonIfBothTogetherLeaveMuchOfTheTime) {
  EXPECT_FALSE(advises_prefetches(sweeps(0.3, 0.3))) << verdict_of(sweeps(0.3, 0.3));
}

// But of the time outside of the kernel they take all.
TEST(NoOverlap, ConcernsTheTimeOutsideOfTheKernel) {
  Point point = sweeps(0.3, 0.3);
  point.user_seconds = 0.65 * 7;
  point.kernel_seconds = 0.35 * 7;
  EXPECT_TRUE(advises_prefetches(point)) << verdict_of(point);
}

// Lines from caches come soon, whatever is prefetched.
TEST(NoOverlap, OfCachesIsNotTold) {
  EXPECT_FALSE(advises_prefetches(sweeps(0.38, 0.02, 0.39))) << verdict_of(sweeps(0.38, 0.02, 0.39));
}

// One function after the other is no lack of overlap.
TEST(NoOverlap, OfDifferentFunctionsIsNotTold) {
  Point point = sweeps(0.38, 0.38);
  point.functions[0].levels = point.functions[1].levels;
  for (LevelBytes& level : point.functions[1].levels) level *= 0;
  EXPECT_FALSE(advises_prefetches(point)) << verdict_of(point);
}

// Lines without an order have an advice of their own.
TEST(NoOverlap, OfLinesWithoutAnOrderIsNotTold) {
  Point point = sweeps(0.38, 0.38);
  for (LevelBytes* level : {&point.levels.back(), &point.functions[1].levels.back()})
    level->irregular = 0.9 * level->read;
  EXPECT_FALSE(advises_prefetches(point)) << verdict_of(point);
}

// The sum of the core's largest need and of the transfers, by another way than the verdict's.
TEST(NoOverlap, AddsTransfersToTheLargestNeedOfTheCore) {
  const Point point = sweeps(0.4, 0.3, 0.2);
  const NoOverlap sum = without_overlap(needs_of(joe0::roofs(), point, 0, {}), point.levels);
  EXPECT_NEAR(sum.computing, 0.4, 0.01);
  const double l2 = (0.2 * cache_rate + 0.3 * memory_rate) / 309.2e9,
               l3 = (0.2 * cache_rate + 0.3 * memory_rate) / cache_rate;
  EXPECT_NEAR(sum.transfers, 0.3 + l2 + l3, 0.01);
  EXPECT_NEAR(sum.saved, 0.3, 0.01);
}

}  // namespace
}  // namespace gable::model
