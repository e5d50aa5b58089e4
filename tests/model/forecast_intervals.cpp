// Intervals of predicted times contain the truth, and are wider the more is in doubt.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/predict/needs/part_time.hpp"
#include "model/predict/parameters.hpp"
#include "tests/model/forecast_programs.hpp"

namespace gable::model {
namespace {

using namespace invented;

TEST(Forecast, CachesOfTheClaimedSizesWidenTheIntervalAlone) {
  const Roofs of = roofs();
  const Profile uses = profile({{64 << 20, memory_lines}});
  Setting at = setting(of, "there");
  const Forecast before = forecast(program(uses), at, nullptr);
  at.claimed = at.caches;
  at.claimed.back().bytes *= 8;
  const Forecast found = forecast(program(uses), at, nullptr);
  EXPECT_NEAR(found.seconds, before.seconds, 1e-9);
  EXPECT_LT(found.lo, before.lo);
}

// A run under the same conditions has no error of the fit, and one under others has some.
TEST(Forecast, OtherConditionsHaveAnErrorOfTheirOwn) {
  const Roofs of = roofs();
  Setting here = timed(setting(of), 2);
  here.like.huge_pages_percent = 0;
  Setting there = here;
  const Profile uses = profile({compute});
  const Forecast same = forecast(program(uses), there, &here);
  EXPECT_NEAR(same.lo, same.hi, 1e-9);
  there.like.huge_pages_percent = 100;
  const Forecast found = forecast(program(uses), there, &here);
  EXPECT_NEAR(std::log(found.hi / found.seconds), PredictParameters().spread_of_time, 1e-6);
}

Roofs with_memory(double speed) {
  Roofs of = roofs();
  for (Roof& each : of.roofs) {
    if (is_memory(each.spec.level) && each.spec.kind == Kind::bandwidth)
      each.value = each.lo = each.hi = speed * each.value;
  }
  return of;
}

double log_width(const Forecast& found) {
  return std::log(found.hi / found.lo);
}

// A machine on which everything is twice as fast changes no need's share of the time. One with another memory
// or with a cache that holds all data changes them.
TEST(Forecast, TheMoreSharesChangeTheWiderIsTheInterval) {
  const Roofs slow = roofs(), fast = roofs(2), other = with_memory(0.25);
  const Profile of = profile({{64 << 20, memory_lines}, compute});
  const Setting here = timed(setting(slow), 2.2);
  const Forecast alike = forecast(program(of), setting(fast, "there"), &here);
  EXPECT_LT(alike.change_percent, 5);
  EXPECT_NEAR(log_width(alike), 2 * PredictParameters().spread_elsewhere, 0.05);
  const Forecast slower = forecast(program(of), setting(other, "there"), &here);
  EXPECT_GT(slower.change_percent, 20);
  EXPECT_GT(log_width(slower), log_width(alike));
  const Forecast in_cache = forecast(program(of), setting(slow, "there", 8), &here);
  EXPECT_GT(in_cache.change_percent, 40);
  EXPECT_GT(log_width(in_cache), log_width(alike));
}

// With more threads, the time may rather be longer than predicted; with fewer, shorter.
TEST(Forecast, ThreadsThatWaitForEachOtherWidenOneSide) {
  const Roofs of = roofs();
  const Profile uses = profile({compute});
  Setting one = timed(setting(of), 4), all = timed(setting(of), 1.2);
  one.like.threads = 1;
  const Forecast more = forecast(program(uses), setting(of), &one);
  EXPECT_GE(std::log(more.hi / more.seconds), PredictParameters().spread_of_threads);
  EXPECT_LT(std::log(more.seconds / more.lo), 0.5 * PredictParameters().spread_of_threads);
  Setting fewer = setting(of);
  fewer.like.threads = 1;
  const Forecast less = forecast(program(uses), fewer, &all);
  EXPECT_GE(std::log(less.seconds / less.lo), PredictParameters().spread_of_threads);
  EXPECT_LT(std::log(less.hi / less.seconds), 0.5 * PredictParameters().spread_of_threads);
}

TEST(Forecast, DoubtsMakeUpTheInterval) {
  const Roofs slow = roofs(), other = with_memory(3);
  const Profile of = profile({stream, chained});
  const Setting here = timed(setting(slow), 2.5, 0.1);
  for (const Setting* timed_here : {static_cast<const Setting*>(nullptr), &here}) {
    const Forecast found = forecast(program(of), setting(other, "there"), timed_here);
    ASSERT_GE(found.doubts.size(), 5u);
    double up = 0, down = 0;
    for (std::size_t i = 1; i < found.doubts.size(); ++i) {
      up = std::hypot(up, found.doubts[i].up);
      down = std::hypot(down, found.doubts[i].down);
    }
    EXPECT_NEAR(std::log(found.hi / found.seconds), found.doubts.front().up + up, 1e-9);
    EXPECT_NEAR(std::log(found.seconds / found.lo), found.doubts.front().down + down, 1e-9);
  }
}

// Machines whose roofs were measured with errors, and programs that overlap more or less than the fit says:
// 95 % intervals contain at least nine of ten true times.
TEST(Forecast, IntervalsContainTheTruth) {
  std::mt19937 random(11);
  const auto noisy = [&](Roofs of, double sigma, bool as_measured) {
    for (Roof& each : of.roofs) {
      const double factor = std::exp(std::normal_distribution(0.0, sigma)(random));
      each.value *= factor;
      each.lo = as_measured ? each.value * std::exp(-1.96 * sigma) : each.value;
      each.hi = as_measured ? each.value * std::exp(1.96 * sigma) : each.value;
    }
    return of;
  };
  constexpr int tries = 300;
  int inside = 0;
  for (int i = 0; i < tries; ++i) {
    const Profile of =
        profile({{std::exp2(std::uniform_real_distribution(12.0, 28.0)(random)), 3e9},
                 stream,
                 {1024, 1e6, AccessOrder::sequential, std::uniform_real_distribution(1e10, 2e11)(random)}});
    const Roofs truth_here = noisy(roofs(), 0.2, false);
    const Roofs truth_there = noisy(roofs(std::uniform_real_distribution(0.5, 3.0)(random)), 0.2, false);
    const Roofs here_roofs = noisy(truth_here, 0.03, true), there_roofs = noisy(truth_there, 0.03, true);
    const Overlap own = {std::uniform_real_distribution(0.0, 0.5)(random),
                         std::uniform_real_distribution(1.0, 1.8)(random), 1};
    const auto true_time = [&](const Roofs& on) {
      const Setting at = setting(on);
      return predicted_time(needs_of_parts({&on, {}}, work_parts(of, at.caches, {}, at.like)), own);
    };
    const Setting here = timed(setting(here_roofs), true_time(truth_here));
    const Forecast found = forecast(program(of), setting(there_roofs, "there"), &here);
    const double truth = true_time(truth_there);
    inside += found.lo <= truth && truth <= found.hi;
    // The errors of the fit and of all roofs, which are the same for every program, bound the interval.
    EXPECT_LE(found.hi / found.lo, std::exp(2.5 * (PredictParameters().spread_elsewhere + 0.3)));
  }
  EXPECT_GE(inside, 0.9 * tries);
}

}  // namespace
}  // namespace gable::model
