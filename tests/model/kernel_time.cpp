// What a Reading says of time that the kernel took.

#include "model/points/kernel_time.hpp"

#include <gtest/gtest.h>

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

TEST(KernelTime, SomeFaultsMayBeEither) {
  const std::string text = kernel_remark(used(0.5, 0.5, 20000));
  EXPECT_TRUE(mentions(text, "huge pages") && mentions(text, "strace -c")) << text;
}

}  // namespace
}  // namespace gable::model
