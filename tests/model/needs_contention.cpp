// Lines that several threads use at the same time, as a need: a range from nothing to one transfer after the
// other.

#include <gtest/gtest.h>

#include "model/points/needs/stalls/contention.hpp"
#include "model/points/needs/words.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

constexpr double accesses = 20e6;

// Threads that count in a small array.
Point counting(double seconds, double contested, double apart) {
  Point point = program(0, 8 * accesses, 8 * accesses, seconds,
                        {bytes("L2", 64e3), bytes("L3", 64e3), bytes("memory", 64e3)});
  point.levels[1].contested = 64 * contested;
  point.levels[1].contested_apart = 64 * apart;
  point.objects = {{"counters (app.c:4)", 128, point.levels}};
  return point;
}

Roofs with_hand_offs(double ns) {
  Roofs roofs = with_chases();
  roofs.line_in_cluster = Estimate{ns, 0.9 * ns, 1.1 * ns, 5};
  return roofs;
}

Need contention(const Roofs& roofs, const Point& point) {
  return need_of(needs_of(roofs, point, 0, {}), Limit::Kind::contention);
}

TEST(Contention, TakesFromNothingToAHandOffForEachAccess) {
  const Need need = contention(with_hand_offs(50), counting(4, accesses, 0));
  EXPECT_TRUE(need.is_range);
  EXPECT_EQ(need.lo, 0);
  EXPECT_NEAR(need.hi, accesses * 55e-9 / 4, 1e-9);
  EXPECT_EQ(contention(with_hand_offs(50), counting(0.4, accesses, 0)).hi, 1) << "all of the time at most";
  EXPECT_EQ(contention(with_hand_offs(50), counting(4, 0, 0)).hi, 0);
  EXPECT_NEAR(contention(with_chases(), counting(4, accesses, 0)).hi, accesses * 100e-9 / 4, 1e-9)
      << "the latency of memory where hand-offs were not measured";
}

TEST(Contention, OfOneThreadThereIsNone) {
  Point alone = counting(4, accesses, 0);
  alone.threads = 1;
  EXPECT_EQ(contention(with_hand_offs(50), alone).hi, 0);
}

TEST(Contention, AtBarriersOfOpenMpThreadsWaitForEachOther) {
  Point point = counting(4, accesses, 0);
  FunctionWork barrier{"gomp_barrier_wait", "/usr/lib/libgomp.so.1.0.0"};
  barrier.levels = point.levels;
  for (LevelBytes& level : barrier.levels) level *= 0.75;
  point.functions = {barrier};
  const Need all = contention(with_hand_offs(50), counting(4, accesses, 0));
  EXPECT_NEAR(contention(with_hand_offs(50), point).hi, 0.25 * all.hi, 1e-9);
  point.functions.front().object = "app";
  EXPECT_EQ(contention(with_hand_offs(50), point).hi, all.hi);
}

TEST(Contention, FalseSharingIsNamedWithItsObject) {
  const Reading reading = read_point(with_hand_offs(50), counting(0.5, accesses, accesses));
  EXPECT_TRUE(reading.verdict.answer.starts_with(
      "is undecided: of what is known only contention for cache lines may bind it, up to 100 % of its time"))
      << reading.verdict.text();
  EXPECT_NE(reading.verdict.answer.find("20 million accesses to lines of counters (app.c:4)"),
            std::string::npos)
      << reading.verdict.text();
  EXPECT_NE(reading.verdict.advice.find("false sharing"), std::string::npos) << reading.verdict.text();
  const Reading same = read_point(with_hand_offs(50), counting(0.5, accesses, 0.2 * accesses));
  EXPECT_EQ(same.verdict.advice.find("false sharing"), std::string::npos) << same.verdict.text();
}

TEST(Contention, ALittleOfItChangesNoVerdict) {
  Point triad =
      program(0, 2e9, 1e9, 0.1, {bytes("L2", 3e9, 1e9), bytes("L3", 3e9, 1e9), bytes("memory", 3e9, 1e9)});
  const Reading before = read_point(with_hand_offs(50), triad);
  triad.levels[1].contested = 64 * 1e5;
  const Reading after = read_point(with_hand_offs(50), triad);
  EXPECT_EQ(before.verdict.answer, after.verdict.answer);
  EXPECT_EQ(before.roof, after.roof);
}

}  // namespace
}  // namespace gable::model
