// Threads that wait for each other: what samples and CPU time tell of it, and what verdicts say.

#include "model/points/needs/thread_wait.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/json/points.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

// Seven threads that run for a second, need the memory for `memory` of it, and spend `spinning` of 7000
// samples in loops that wait.
Point spinning(double memory, double samples) {
  const double bytes_read = memory * 36.1e9;
  Point point = program(1e8, 2 * bytes_read, 0, 1,
                        {bytes("L2", bytes_read), bytes("L3", bytes_read), bytes("memory", bytes_read)});
  point.user_seconds = 7;
  point.samples.all = 7000;
  point.samples.seconds = 1e-3;
  if (samples > 0) point.samples.spinning = {{"/usr/lib/libgomp.so.1", samples}};
  return point;
}

TEST(ThreadWait, SamplesTellThePartOfTheTime) {
  const auto wait = thread_wait(spinning(0.2, 4200));
  ASSERT_TRUE(wait);
  EXPECT_NEAR(wait->spinning.value, 0.6, 1e-12);
  EXPECT_LT(wait->lo, 0.6);
  EXPECT_GT(wait->hi, 0.6);
  EXPECT_NEAR(wait->hi - wait->lo, 0.023, 1e-3) << "the interval of 7000 samples";
  EXPECT_EQ(wait->where, "libgomp.so.1");
  EXPECT_EQ(wait->idle, 0);
  EXPECT_FALSE(wait->is_crowded);
}

TEST(ThreadWait, OneThreadWaitsForNone) {
  Point point = spinning(0.2, 4200);
  point.threads = 1;
  EXPECT_FALSE(thread_wait(point));
  EXPECT_EQ(wait_remark(point), "");
}

TEST(ThreadWait, WithoutMeasurementsNothingIsKnown) {
  EXPECT_FALSE(thread_wait(program(1e8, 1e9, 0, 1, {})));
  Point simulated = spinning(0.2, 4200);  // its samples are those of another placement
  simulated.simulated = true;
  EXPECT_FALSE(thread_wait(simulated));
}

TEST(ThreadWait, ThreadsThatDoNotRunMayWait) {
  Point point = spinning(0.2, 0);
  point.user_seconds = 3.5;
  const auto wait = thread_wait(point);
  EXPECT_NEAR(wait->idle, 0.5, 1e-12);
  EXPECT_EQ(wait->lo, 0);
  EXPECT_NEAR(wait->hi, 0.5, 1e-3);
  point.samples.spinning = {{"/bin/app", 3500}};  // half of the time that they run
  EXPECT_NEAR(thread_wait(point)->lo, 0.25, 0.01);
  EXPECT_NEAR(thread_wait(point)->hi, 0.75, 0.01);
  point.other_cpus = 2;  // which other programs may have taken
  EXPECT_EQ(thread_wait(point)->idle, 0);
  EXPECT_TRUE(thread_wait(point)->is_crowded);
}

// Its other code manages threads as well, but does not only wait.
TEST(ThreadWait, TheRestOfOpenMPIsARange) {
  Point point = spinning(0.2, 1400);
  point.functions = {{"", "/usr/lib/libgomp.so.1", 0, 1e6, 0}};
  point.functions.front().samples = 2800;
  EXPECT_NEAR(thread_wait(point)->lo, 0.2, 0.01);
  EXPECT_NEAR(thread_wait(point)->hi, 0.4, 0.015);
  point.functions.clear();
  point.samples.elsewhere = {{"/opt/libomp.so", 1400}, {"/opt/libomptarget.so", 1000}};
  point.samples.spinning.clear();
  EXPECT_EQ(thread_wait(point)->spinning.value, 0);
  EXPECT_NEAR(thread_wait(point)->hi, 0.2, 0.01);
}

TEST(ThreadWait, IsNamedIfItTakesMost) {
  const Reading reading = read_point(with_chases(), spinning(0.2, 4200));
  EXPECT_TRUE(says(reading, "waits for other threads: its threads spend 59 % to 61 % of their CPU time"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "most in libgomp.so.1")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "Next: local memory 20 %")) << reading.verdict.text();
  EXPECT_EQ(reading.roof, "");
  EXPECT_FALSE(reading.headroom_known);
}

TEST(ThreadWait, IsACandidateBesideALargeNeed) {
  const Reading reading = read_point(with_chases(), spinning(0.6, 3500));
  EXPECT_TRUE(says(reading, "is undecided: local memory (60 %) or waiting for other threads (49 % to 51 %)"))
      << reading.verdict.text();
  EXPECT_FALSE(reading.headroom_known);
}

TEST(ThreadWait, DoesNotChangeWhatBinds) {
  const Reading reading = read_point(with_chases(), spinning(0.95, 3500));
  EXPECT_TRUE(says(reading, "local memory binds it")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "Its threads spend 49 % to 51 %")) << reading.verdict.text();
  EXPECT_TRUE(reading.headroom_known);
  const Reading busy = read_point(with_chases(), spinning(0.6, 70));
  EXPECT_TRUE(says(busy, "local memory takes most")) << busy.verdict.text();
  EXPECT_FALSE(says(busy, "other threads")) << busy.verdict.text();
}

TEST(ThreadWait, OnACrowdedMachineTheVerdictStaysOpen) {
  Point point = spinning(0.2, 4200);
  point.user_seconds = 3;
  point.other_cpus = 4;
  const Reading reading = read_point(with_chases(), point);
  EXPECT_TRUE(
      says(reading, "is undecided, because other programs took its time: its threads spend 59 % to 61 %"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "local memory, would take 20 %")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "free CPUs")) << reading.verdict.text();
}

// A program of a counter without levels.
TEST(ThreadWait, IsARemarkWithoutTheBytesByLevel) {
  Point point = spinning(0.2, 4200);
  point.levels.clear();
  EXPECT_TRUE(says(read_point(with_chases(), point), "of their CPU time in loops that wait"))
      << read_point(with_chases(), point).verdict.text();
}

TEST(ThreadWait, FilesKeepIt) {
  const Point point = spinning(0.2, 4200);
  const std::string text = points_to_json({point}, {Reading()});
  EXPECT_EQ(points_from_json(text, "points.json").front().samples, point.samples);
  Point wrong = point;
  wrong.samples.spinning["/bin/app"] = 7000;
  EXPECT_THROW(points_to_json({wrong}, {Reading()}), Error);
}

}  // namespace
}  // namespace gable::model
