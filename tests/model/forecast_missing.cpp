// Figures that a machine lacks make the time a range, or are named as the reason why there is none.

#include <gtest/gtest.h>

#include "tests/model/forecast_programs.hpp"

namespace gable::model {
namespace {

using namespace invented;

// The bandwidth of L3 is between those of its neighbours, so that the time is a range with the true one in
// it.
TEST(Forecast, AMissingCacheIsARange) {
  const Uses in_l3 = {4 << 20, 200e9 / 64};
  const Profile of = profile({in_l3, stream});
  const Forecast all = alone(of, roofs());
  Roofs without = roofs();
  std::erase_if(without.roofs, [](const Roof& each) { return each.spec.level == Level::cache(3); });
  const Forecast found = alone(of, without);
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_EQ(sentences(found.missing), std::vector<std::string>{"the bandwidth of L3"});
  EXPECT_GT(found.missing_percent, 20);
  EXPECT_LT(found.lo, all.seconds);
  EXPECT_GT(found.hi, all.seconds);
  EXPECT_TRUE(all.missing.empty());
  EXPECT_EQ(all.missing_percent, 0);
}

TEST(Forecast, AMissingMemoryIsRefusedByName) {
  Roofs without = roofs();
  std::erase_if(without.roofs, [](const Roof& each) {
    return is_memory(each.spec.level) && each.spec.kind == Kind::bandwidth;
  });
  const Forecast found = alone(profile({stream}), without);
  EXPECT_EQ(found.status, Status::skipped);
  EXPECT_NE(found.reason.find("no bandwidth of memory"), std::string::npos) << found.reason;
  EXPECT_EQ(alone(profile({in_l2}), without).status, Status::ok) << "what it does not use it may lack";
  EXPECT_EQ(alone(profile({chained}), without).status, Status::skipped);
}

TEST(Forecast, WithoutPeaksTheClockTellsTheCoresSpeed) {
  Roofs without = roofs(2);
  std::erase_if(without.roofs, [](const Roof& each) { return is_peak(each.spec.kind); });
  const Profile of = profile({compute});
  EXPECT_EQ(alone(of, without).status, Status::skipped);
  const Roofs slow = roofs();
  const Setting here = timed(setting(slow), 1.2);
  const Forecast found = forecast(program(of), setting(without, "there"), &here);
  EXPECT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_LE(found.lo, 0.6);
  EXPECT_GE(found.hi, 0.6);
  EXPECT_TRUE(has(found.missing, NoteCode::missing_peaks));
}

TEST(Forecast, PageWalksThatOneMachineKnowsDoNotCount) {
  constexpr int bucket_of_128_Ki_pages = 1 + 4 * 17;
  const Roofs of = roofs();
  Profile uses = profile({stream});
  uses.uses.front().pages = {{bucket_of_128_Ki_pages, 5e7}};
  const Setting there = setting(of, "there");
  Setting here = timed(setting(of), 2);
  here.like.huge_pages_percent = 0;
  const Forecast before = forecast(program(uses), there, &here);
  here.tlb.small = {{2 << 20, 30, 40}};
  const Forecast found = forecast(program(uses), there, &here);
  EXPECT_NEAR(found.seconds, before.seconds, 1e-9);
  EXPECT_TRUE(has(found.missing, NoteCode::missing_walks));
  Setting also = there;
  also.tlb = here.tlb;
  EXPECT_GT(std::abs(forecast(program(uses), also, &here).seconds - before.seconds), 1e-3);
}

}  // namespace
}  // namespace gable::model
