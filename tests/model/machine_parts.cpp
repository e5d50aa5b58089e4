// What the parts of a machine contribute to a time: as the roofs say by hand, and as the forecast itself
// says.

#include "model/predict/machine_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/predict/parameters.hpp"
#include "tests/model/forecast_machines.hpp"

namespace gable::model {
namespace {

using namespace invented;

constexpr double beyond_caches = 1 << 30;  // bytes: more than every cache
constexpr double lines_of_a_second = 40e9 / 64;

const MachinePart* part_of(const std::vector<MachinePart>& parts, const std::string& what) {
  const auto found = std::ranges::find(parts, what, &MachinePart::what);
  return found == parts.end() ? nullptr : &*found;
}

double bound_by_all(const std::vector<MachinePart>& parts) {
  double sum = 0;
  for (const MachinePart& part : parts) sum += part.binds;
  return sum;
}

// 40 GB through the roofs of 40, 200, 400 and 800 GB/s, and so many lines that all hit in L2.
TEST(MachineParts, EachLevelNeedsItsBytesAtItsRoof) {
  const Roofs of = roofs();
  const Profile used = profile({{beyond_caches, lines_of_a_second}, {200e3, 400e9 / 64}});
  const Forecast found = forecast(program(used), setting(of), nullptr);
  const std::vector<MachinePart> parts = machine_parts(found);
  const std::pair<const char*, double> seconds[] = {
      {"local memory", 1}, {"L3", 40.0 / 200}, {"L2", 440.0 / 400}, {"L1", 440.0 / 800}};
  for (const auto& [what, expected] : seconds) {
    const MachinePart* const part = part_of(parts, what);
    ASSERT_NE(part, nullptr) << what;
    EXPECT_TRUE(part->is_level) << what;
    EXPECT_NEAR(part->seconds, expected, 1e-9) << what;
    EXPECT_LE(part->lo, part->seconds);
    EXPECT_GE(part->hi, part->seconds);
  }
  EXPECT_EQ(part_of(parts, "local memory")->function, "f0");
  EXPECT_EQ(part_of(parts, "L2")->function, "f1");
  EXPECT_EQ(part_of(parts, "L3")->binds, 0);
  EXPECT_NEAR(bound_by_all(parts), found.seconds, 1e-9);
  EXPECT_EQ(parts.front().what, found.binds.front().what);
  for (const Forecast::Share& share : found.binds) {
    ASSERT_NE(part_of(parts, share.what), nullptr) << share.what;
    EXPECT_EQ(part_of(parts, share.what)->binds, share.seconds) << share.what;
  }
}

TEST(MachineParts, ChainsMayBeFollowedAtOnce) {
  const Roofs of = roofs();
  const Profile used = profile({{beyond_caches, 4 * 1e7, AccessOrder::chained}});
  const std::vector<MachinePart> parts = machine_parts(forecast(program(used), setting(of), nullptr));
  const MachinePart& chain = parts.front();
  EXPECT_FALSE(chain.is_level);
  EXPECT_NEAR(chain.hi, 1, 1e-6);
  EXPECT_NEAR(chain.lo, 1 / PredictParameters().chains_at_once, 1e-6);
}

TEST(MachineParts, WhatIsNotExplainedHasNoNeed) {
  const Roofs of = roofs();
  const Profile used = profile({{beyond_caches, lines_of_a_second}});
  const Setting here = timed(setting(of), 4);
  const std::vector<MachinePart> parts = machine_parts(forecast(program(used), setting(of), &here));
  const MachinePart* const rest = part_of(parts, not_explained);
  ASSERT_NE(rest, nullptr);
  EXPECT_EQ(rest->hi, 0);
  EXPECT_GT(rest->binds, 2.5);
  EXPECT_NEAR(bound_by_all(parts), 4, 1e-9) << "the measured time";
  EXPECT_NEAR(part_of(parts, "local memory")->seconds, 1, 1e-9);
}

}  // namespace
}  // namespace gable::model
