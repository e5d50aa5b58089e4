// Times on other machines, of invented programs and machines whose times are known.

#include "model/predict/forecast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "model/points/binding.hpp"
#include "model/predict/parameters.hpp"
#include "model/predict/part_time.hpp"
#include "tests/model/forecast_machines.hpp"

namespace gable::model {
namespace {

using namespace invented;

constexpr double memory_lines = 40e9 / 64;  // a second of the memory of speed 1
constexpr double far = 1 << 30;             // bytes: more than every cache

const Uses stream = {far, memory_lines};
const Uses in_l2 = {200e3, 400e9 / 64};
const Uses compute = {1024, 1e6, AccessOrder::sequential, 100e9};
const Uses scattered = {far, 200e6, AccessOrder::independent};
const Uses chained = {far, 4 * 1e7, AccessOrder::chained};

Forecast alone(const Profile& of, const Roofs& on, double cache_factor = 1) {
  return forecast(program(of), setting(on, "there", cache_factor), nullptr);
}

TEST(Forecast, OfAStreamIsTheMemorysTimeAndABitOfTheCaches) {
  const Forecast found = alone(profile({stream}), roofs());
  const double others = 40.0 / 200 + 40.0 / 400 + PredictParameters().core * 40.0 / 800;
  EXPECT_NEAR(found.seconds, 1 + PredictParameters().exposed * others, 1e-9);
  ASSERT_FALSE(found.binds.empty());
  EXPECT_EQ(found.binds.front().what, "local memory");
  EXPECT_LT(found.lo, found.seconds);
  EXPECT_GT(found.hi, found.seconds);
}

// Lines without an order are not counted twice, at the bandwidth and at the rate of random loads.
TEST(Forecast, ScatteredLinesTakeTheRateOfRandomLoads) {
  const Forecast found = alone(profile({scattered}), roofs());
  EXPECT_GT(found.seconds, 1);
  EXPECT_LT(found.seconds, 1 + 0.5 * PredictParameters().exposed);
  EXPECT_EQ(found.binds.front().what, "irregular access to memory");
}

TEST(Forecast, OfAChainIsARangeUpToTheLatency) {
  const Forecast found = alone(profile({chained}), roofs());
  EXPECT_GE(found.hi, 1) << "one chain in each of four threads";
  EXPECT_NEAR(found.seconds, 1, 0.1) << "as a verdict counts it without a time that proves more";
  EXPECT_LE(found.lo, 1 / PredictParameters().chains_at_once * 1.5);
}

// All instructions take a cycle for each four of them, and a mispredicted branch throws some cycles away.
TEST(Forecast, InstructionsAndMispredictedBranchesAreTheCores) {
  Roofs of = roofs();
  for (Roof& each : of.roofs) each.adds_per_cycle = 4;
  Profile program_of = profile({{1024, 1e6}});
  program_of.functions.front().instructions = {4.0 * 3e9 * cores, 1e9, 1e9, 0};
  const double executed = alone(program_of, of).seconds;
  EXPECT_NEAR(executed, PredictParameters().core, 0.02);
  program_of.functions.front().instructions.mispredicted = 3e9 * cores / 30;
  EXPECT_NEAR(alone(program_of, of).seconds - executed, PredictParameters().cycles_of_flush / 30, 0.02);
}

// A measured cost of branches takes the place of the parameter.
TEST(Forecast, AMeasuredCostOfBranchesCounts) {
  Roofs of = roofs();
  for (Roof& each : of.roofs) each.adds_per_cycle = 4;
  Profile program_of = profile({{1024, 1e6}});
  program_of.functions.front().instructions = {4.0 * 3e9 * cores, 1e9, 1e9, 0};
  const double executed = alone(program_of, of).seconds;
  program_of.functions.front().instructions.mispredicted = 1e7 * cores;
  for (const auto& [op, ns] :
       {std::pair(operations::branch_random, 13.0), {operations::branch_steady, 1.0}}) {
    Roof branches = roof(Kind::branch, "core", Pattern::core, op, ns);
    branches.adds_per_cycle = 4;
    of.roofs.push_back(branches);
  }
  EXPECT_NEAR(alone(program_of, of).seconds - executed, 1e7 * 24e-9, 0.01) << "twice 12 ns for each";
}

TEST(Forecast, TwiceAsFastAMachineTakesHalfTheTime) {
  for (const Uses& uses : {stream, in_l2, compute, scattered, chained}) {
    const Profile of = profile({uses});
    EXPECT_NEAR(alone(of, roofs(2)).seconds, alone(of, roofs()).seconds / 2, 1e-9);
  }
}

TEST(Forecast, ALargerCacheNeverTakesLonger) {
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) {
    std::vector<Uses> functions;
    for (int f = 0; f < 4; ++f)
      functions.push_back({std::exp2(std::uniform_real_distribution(8.0, 30.0)(random)), 1e8,
                           static_cast<AccessOrder>(random() % 3)});
    const Profile of = profile(functions);
    double before = 1e300;
    for (double factor = 0.1; factor < 100; factor *= 1.5) {
      const double now = alone(of, roofs(), factor).seconds;
      EXPECT_LE(now, before * (1 + 1e-9)) << factor;
      before = now;
    }
  }
}

// Whatever the roofs say: a program takes the time that it took.
TEST(Forecast, OnTheMachineWhereItWasTimedIsTheTime) {
  const Roofs of = roofs();
  for (const Uses& uses : {stream, in_l2, compute, scattered, chained}) {
    const Profile program_of = profile({uses, stream});
    for (const double seconds : {0.01, 1.0, 1.3, 2.0, 50.0}) {
      Setting here = timed(setting(of), seconds, 0.02);
      here.like.user_seconds = 3.5 * seconds;
      here.like.kernel_seconds = 0.5 * seconds;
      const Forecast found = forecast(program(program_of), setting(of), &here);
      EXPECT_NEAR(found.seconds, seconds, 1e-6 * seconds);
      EXPECT_NEAR(found.lo, 0.98 * seconds, 1e-6 * seconds);
      EXPECT_NEAR(found.hi, 1.02 * seconds, 1e-6 * seconds);
      EXPECT_NEAR(found.ratio, 1, 1e-6);
    }
  }
}

TEST(Forecast, OfATimedStreamFollowsTheMemory) {
  const Roofs slow = roofs(), fast = roofs(2);
  const Profile of = profile({stream});
  const Setting here = timed(setting(slow), 1.1);
  const Forecast found = forecast(program(of), setting(fast, "there"), &here);
  EXPECT_NEAR(found.ratio, 0.5, 0.01) << "memory and core are twice as fast";
  EXPECT_LE(found.lo, 0.55);
  EXPECT_GE(found.hi, 0.55);
}

// Three quarters of the time are not explained: they do not become faster with the memory alone.
TEST(Forecast, WhatIsNotExplainedIsTheCores) {
  const Roofs slow = roofs();
  Roofs fast = roofs();
  for (Roof& each : fast.roofs) {
    if (is_memory(each.spec.level) && each.spec.kind == Kind::bandwidth)
      each.value = each.lo = each.hi = 4 * each.value;
  }
  const Profile of = profile({stream});
  const Setting here = timed(setting(slow), 4);
  const Forecast found = forecast(program(of), setting(fast, "there"), &here);
  EXPECT_NEAR(found.explained_percent, 25, 5);
  EXPECT_GT(found.seconds, 2.5);
  EXPECT_LT(found.seconds, 3.4);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes.front().find("the roofs explain"), std::string::npos);
  EXPECT_EQ(found.binds.front().what, not_explained);
}

TEST(Forecast, TimeInTheKernelAndIdleThreadsAreTold) {
  const Roofs of = roofs();
  const Profile program_of = profile({stream});
  Setting here = timed(setting(of), 2);
  here.like.user_seconds = 1.5;
  here.like.kernel_seconds = 1.5;
  const auto notes = forecast(program(program_of), setting(of), &here).notes;
  const auto says = [&](const std::string& words) {
    return std::ranges::any_of(notes,
                               [&](const auto& note) { return note.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(says("the kernel took 50 %"));
  EXPECT_TRUE(says("used no CPU for 62 %"));
}

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

// One of four threads: own caches give a quarter, the memory between a quarter and all.
TEST(Forecast, FewerThreadsThanTheRoofsHave) {
  const Roofs of = roofs();
  const Profile in_own = profile({in_l2}), in_memory = profile({stream});
  Setting one = setting(of, "there");
  one.like.threads = 1;
  const double caches = forecast(program(in_own), one, nullptr).seconds / alone(in_own, of).seconds;
  EXPECT_GT(caches, 3.5);
  EXPECT_LE(caches, 4.01);
  const Forecast memory = forecast(program(in_memory), one, nullptr);
  EXPECT_LE(memory.lo, 1.1);
  EXPECT_GE(memory.hi, 3.9);
}

// Two of four threads load as many random lines as two times what one thread was measured with.
TEST(Forecast, FewThreadsReachAsManyTimesTheRandomLinesOfOne) {
  Roofs of = roofs();
  Roof one = roof(Kind::random, "memory", Pattern::local, operations::random, 60);
  one.spec.threads = 1;
  of.roofs.push_back(one);
  Setting two = setting(of, "there");
  two.like.threads = 2;
  const Forecast found = forecast(program(profile({scattered})), two, nullptr);
  EXPECT_NEAR(found.seconds, 200.0 / 120, 0.1);
  const Note random(NoteCode::missing_with, {"random loads", "2 threads"});
  EXPECT_EQ(std::ranges::find(found.missing, random), found.missing.end());
}

// Settings that are predicted together have the times that each has by itself.
TEST(Forecast, SeveralSettingsAtOnce) {
  const Roofs slow = roofs(), fast = roofs(2);
  const Profile of = profile({stream, compute});
  const Setting here = timed(setting(slow), 1.5), a = setting(fast, "a"), b = setting(slow, "b");
  const std::vector<Forecast> found = forecasts(program(of), {&a, &b}, &here);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].seconds, forecast(program(of), a, &here).seconds);
  EXPECT_EQ(found[1].seconds, forecast(program(of), b, &here).seconds);
  EXPECT_LT(found[0].seconds, found[1].seconds);
}

// A function's time is its part of the program's.
TEST(Forecast, FunctionsAddUp) {
  const Roofs of = roofs(), fast = roofs(3);
  const Profile program_of = profile({stream, compute, in_l2});
  const Setting here = timed(setting(of), 5);
  for (const Setting* timed_here : {static_cast<const Setting*>(nullptr), &here}) {
    const Forecast found = forecast(program(program_of), setting(fast, "there"), timed_here);
    double functions = 0, binds = 0;
    for (const auto& share : found.functions) functions += share.seconds;
    for (const auto& share : found.binds) binds += share.seconds;
    EXPECT_NEAR(functions, found.seconds, 1e-9 * found.seconds);
    EXPECT_NEAR(binds, found.seconds, 1e-9 * found.seconds);
    EXPECT_EQ(found.functions.size(), 3u);
  }
}

TEST(Forecast, OfARegionThatIsNotInTheProfile) {
  const Roofs of = roofs();
  const Profile program_of = profile({stream});
  Setting there = setting(of);
  there.like.region = "sweep";
  EXPECT_THROW(forecast(program(program_of), there, nullptr), Error);
}

// The verdict and the prediction of a move are of one mind: what memory binds follows the memory, and what it
// does not bind hardly changes.
TEST(Forecast, AgreesWithTheVerdict) {
  Roofs of = roofs();
  for (const Roof& each : roofs().roofs) {
    if (each.spec.kind != Kind::bandwidth || !is_memory(each.spec.level)) continue;
    Roof remote = each;
    remote.spec.node = 1;
    remote.spec.pattern = Pattern::remote;
    for (double* value : {&remote.value, &remote.lo, &remote.hi}) *value /= 2;
    of.roofs.push_back(remote);
  }
  const Profile program_of = profile({stream});
  for (const auto& [seconds, binds, least, most] :
       {std::tuple{1.05, true, 1.8, 2.1}, {6.0, false, 1.0, 1.35}}) {
    const Setting here = timed(setting(of), seconds);
    Point point = here.like;
    point.load_bytes = 64 * memory_lines;
    point.levels = work_parts(program_of, here.caches, {}, here.like).front().point.levels;
    EXPECT_EQ(read_point(of, point).roof.empty(), !binds);
    Setting there = setting(of);
    there.like.node_bytes = {{1, 1 << 30}};
    const double by_profile = forecast(program(program_of), there, &here).ratio;
    EXPECT_GT(by_profile, least);
    EXPECT_LT(by_profile, most);
    const Program by_levels = {[&](const auto&, const Setting& at) {
                                 Point moved = point;
                                 moved.node_bytes = at.like.node_bytes;
                                 return work_parts(moved);
                               },
                               point.threads};
    EXPECT_NEAR(forecast(by_levels, there, &here).ratio, by_profile, 1e-9);
  }
}

// What the divider binds by the verdict, it binds by the prediction, although the profile has no flops by
// kind.
TEST(Forecast, AgreesWithTheVerdictOnTheDivider) {
  Roofs of = roofs();
  Roof divisions = roof(Kind::flops, "core", Pattern::core, Operation("div_scalar"), 2);
  divisions.spec.precision = Precision::dp;
  of.roofs.push_back(divisions);
  Profile program_of = profile({{1024, 1e6, AccessOrder::sequential, 2e9}});
  program_of.functions.front().arithmetic.clear();
  const Setting here = timed(setting(of), 1.5);
  Point point = here.like;
  point.flops = 2e9;
  point.load_bytes = 64e6;
  point.arithmetic = {{operations::div, Precision::dp, 0, 2e9}};
  point.levels = work_parts(program_of, here.caches, {}, here.like).front().point.levels;
  point.seconds = point.seconds_lo = point.seconds_hi = 1.1;
  EXPECT_EQ(read_point(of, point).roof, "scalar DIV DP");
  complete_arithmetic(program_of, point);
  const Forecast found = forecast(program(program_of), setting(of, "there"), &here);
  EXPECT_EQ(found.binds.front().what, "the divider");
}

// Machines whose roofs were measured with errors, and programs that overlap more or less than the fit says:
// 95 % intervals contain at least nine of ten true times.
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
