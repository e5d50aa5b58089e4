// What a Reading says of time that the kernel took.

#include "model/points/kernel_time.hpp"

#include <gtest/gtest.h>

#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

Point used(double user, double kernel, double faults) {
  Point point;
  point.user_seconds = user;
  point.kernel_seconds = kernel;
  point.page_faults = faults;
  return point;
}

bool mentions(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(KernelTime, NothingIsSaidOfLittleOrUnknownTime) {
  EXPECT_EQ(kernel_remark(used(0, 0, 0)), "");
  EXPECT_EQ(kernel_remark(used(0.95, 0.05, 1e6)), "");
  EXPECT_EQ(user_share(used(0, 0, 0)), 1);
}

TEST(KernelTime, ManyFaultsAreFirstTouches) {
  const std::string text = kernel_remark(used(0.62, 0.38, 250000));
  EXPECT_TRUE(mentions(text, "took 38 % of its CPU time, with 250 thousand page faults")) << text;
  EXPECT_TRUE(mentions(text, "huge pages")) << text;
  EXPECT_FALSE(mentions(text, "strace")) << text;
}

TEST(KernelTime, FewFaultsAreSystemCalls) {
  const std::string text = kernel_remark(used(0.5, 0.5, 80));
  EXPECT_TRUE(mentions(text, "strace -c")) << text;
  EXPECT_FALSE(mentions(text, "huge pages")) << text;
}

// 2000 faults on small pages take milliseconds, and on huge ones up to a second.
TEST(KernelTime, FaultsOnSmallPagesTakeLittle) {
  Point point = used(0.5, 0.5, 2000);
  EXPECT_TRUE(mentions(kernel_remark(point), "huge pages")) << "its pages are not known";
  point.huge_pages_percent = 90;
  EXPECT_TRUE(mentions(kernel_remark(point), "huge pages")) << kernel_remark(point);
  point.huge_pages_percent = 0;
  EXPECT_FALSE(mentions(kernel_remark(point), "huge pages")) << kernel_remark(point);
  EXPECT_TRUE(mentions(kernel_remark(point), "futex")) << kernel_remark(point);
}

TEST(KernelTime, SomeFaultsMayBeEither) {
  const std::string text = kernel_remark(used(0.5, 0.5, 20000));
  EXPECT_TRUE(mentions(text, "huge pages") && mentions(text, "strace -c")) << text;
}

// Seven threads that touch new pages.
Point touching(double kernel_part) {
  Point point = program(0, 7e9, 7e9, 1, {bytes("L2", 7e8), bytes("L3", 7e8), bytes("memory", 7e8)});
  point.kernel_seconds = 7 * kernel_part;
  point.user_seconds = 7 * (1 - kernel_part);
  point.page_faults = 4e6;
  return point;
}

TEST(KernelTime, BindsWhereItIsNearlyAllOfTheTime) {
  const Reading reading = read_point(with_chases(), touching(0.96));
  EXPECT_TRUE(
      mentions(reading.verdict.answer, "time in the kernel binds it: 96 % of its CPU time, with 4 million"))
      << reading.verdict.text();
  EXPECT_TRUE(mentions(reading.verdict.advice, "huge pages")) << reading.verdict.text();
  EXPECT_FALSE(mentions(reading.verdict.text(), "The kernel took"))
      << "it is told once: " << reading.verdict.text();
  EXPECT_TRUE(
      mentions(read_point(with_chases(), touching(0.5)).verdict.answer, "time in the kernel takes most"));
  EXPECT_FALSE(mentions(read_point(with_chases(), touching(0.2)).verdict.answer, "time in the kernel"));
}

// Half of the time goes to the memory's transfers.
TEST(KernelTime, IsTheRestOnlyIfItIsNearlyAllOfIt) {
  const auto answer = [](double kernel_part) {
    Point point = touching(kernel_part);
    point.levels.back().read = 0.5 * 36.1e9;
    return read_point(with_chases(), point).verdict.answer;
  };
  EXPECT_TRUE(answer(0.45).ends_with("the rest goes to time in the kernel")) << answer(0.45);
  EXPECT_TRUE(mentions(answer(0.2), "the rest goes to time in the kernel, waiting")) << answer(0.2);
  EXPECT_TRUE(mentions(answer(0.05), "the rest goes to waiting")) << answer(0.05);
}

TEST(KernelTime, ThatOtherProgramsTookMayBeTheirs) {
  Point point = touching(0.96);
  point.other_cpus = 2;
  EXPECT_TRUE(mentions(read_point(with_chases(), point).verdict.answer, "time in the kernel binds"))
      << "its threads ran all the time";
  point.kernel_seconds *= 0.9;
  EXPECT_FALSE(mentions(read_point(with_chases(), point).verdict.answer, "time in the kernel binds"));
}

TEST(KernelTime, AThreadThatDoesNotRunWaits) {
  Point point = program(0, 1e9, 1e9, 1, {bytes("L2", 1e8), bytes("L3", 1e8), bytes("memory", 1e8)});
  point.cluster = 0;
  point.alone = true;
  point.threads = 1;
  point.user_seconds = 0.3;
  point.kernel_seconds = 0.02;
  const Reading reading = read_point(with_chases(), point);
  EXPECT_TRUE(mentions(reading.verdict.answer, "did not run for 68 % of its time")) << reading.verdict.text();
  EXPECT_TRUE(mentions(reading.verdict.advice, "strace")) << reading.verdict.text();
  point.user_seconds = 0.9;
  EXPECT_FALSE(mentions(read_point(with_chases(), point).verdict.answer, "did not run"));
  point.user_seconds = point.kernel_seconds = 0;
  EXPECT_FALSE(mentions(read_point(with_chases(), point).verdict.answer, "did not run")) << "not known";
}

// A program that waits for input uses little of its time in the kernel, however much of its CPU time.
TEST(KernelTime, OfAnIdleProgramIsLittleOfItsTime) {
  Point point = touching(0.96);
  point.user_seconds /= 100;
  point.kernel_seconds /= 100;
  EXPECT_FALSE(mentions(read_point(with_chases(), point).verdict.answer, "time in the kernel"));
}

}  // namespace
}  // namespace gable::model
