// Time in code that was not executed when the program was counted.

#include "model/points/needs/uncounted_code.hpp"

#include <gtest/gtest.h>

#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

// A program whose memory is busy for all of the time, with samples in other code of these files.
Point elsewhere(std::map<std::string, double> samples) {
  Point point = program(1e9, 36e9, 0, 1, {bytes("L2", 36e9), bytes("L3", 36e9), bytes("memory", 36e9)});
  point.samples.all = 1000;
  point.samples.seconds = 1e-3;
  point.samples.elsewhere = std::move(samples);
  return point;
}

TEST(UncountedCode, OfMuchTimeLeavesTheVerdictUndecided) {
  const Reading much =
      read_point(joe0::roofs(), elsewhere({{"/usr/lib/libopenblas.so.0", 700}, {"/bin/app", 100}}));
  EXPECT_TRUE(says(much,
                   "is undecided: 80 % of its CPU time is in code that it did not execute when it was "
                   "counted (most in libopenblas.so.0)"))
      << much.verdict.text();
  EXPECT_EQ(much.roof, "");
  const Reading some = read_point(joe0::roofs(), elsewhere({{"/usr/lib/libopenblas.so.0", 200}}));
  EXPECT_TRUE(says(some, "local memory binds it")) << some.verdict.text();
  EXPECT_TRUE(says(some, "20 % of its CPU time is in code")) << some.verdict.text();
  EXPECT_FALSE(says(read_point(joe0::roofs(), elsewhere({{"/bin/app", 50}})), "CPU time is in code"));
}

TEST(UncountedCode, IsNeitherGeneratedNorWaiting) {
  EXPECT_FALSE(uncounted_code(elsewhere({{"", 900}})));
  EXPECT_FALSE(uncounted_code(elsewhere({{"/usr/lib/libgomp.so.1", 900}})));
  Point spinning = elsewhere({{"/usr/lib/libmpi.so.40", 900}});
  spinning.samples.spinning = {{"/usr/lib/libmpi.so.40", 850}};
  EXPECT_FALSE(uncounted_code(spinning));
  EXPECT_TRUE(uncounted_code(elsewhere({{"/usr/lib/libmpi.so.40", 900}})));
}

}  // namespace
}  // namespace gable::model
