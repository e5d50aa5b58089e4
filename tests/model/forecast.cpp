// Times on other machines, of invented programs and machines whose times are known.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "model/predict/parameters.hpp"
#include "tests/model/forecast_programs.hpp"

namespace gable::model {
namespace {

using namespace invented;

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

// A loop that computes in registers, after one that streams.
TEST(Forecast, FunctionsWithoutAccessesTakeTheirTime) {
  Profile both = profile({stream});
  both.functions.push_back(profile({compute}).functions.front());
  both.functions.back().function = "registers";
  both.functions.back().load_bytes = 0;
  const double expected =
      alone(profile({stream}), roofs()).seconds + alone(profile({compute}), roofs()).seconds;
  const Forecast found = alone(both, roofs());
  EXPECT_NEAR(found.seconds, expected, 0.01 * expected);
  EXPECT_EQ(found.functions.size(), 2u);
}

// All instructions take a cycle for each four of them, and a mispredicted branch throws some cycles away.
TEST(Forecast, InstructionsAndMispredictedBranchesAreTheCores) {
  Roofs of = roofs();
  for (Roof& each : of.roofs) each.adds_per_cycle = 4;
  Profile program_of = profile({{1024, 1e6}});
  program_of.functions.front().instructions = {4.0 * 3e9 * cores, 1e9, 1e9, 0};
  const double executed = alone(program_of, of).seconds;
  EXPECT_NEAR(executed, PredictParameters().core / PredictParameters().per_addition, 0.02);
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

// What other threads wrote in the profile is in the caches of the one that does the work of all, which has no
// cache to share with others.
TEST(Forecast, OneThreadFindsWhatOthersWroteInItsCaches) {
  Profile of = profile({{middle_cache / 4, 200e6, AccessOrder::independent}});
  of.uses.front().own.read[static_cast<std::size_t>(AccessOrder::independent)] = {{written_by_other, 200e6}};
  const Roofs on = roofs();
  Setting one = setting(on);
  one.like.threads = 1;
  for (ProfileCache& cache : one.caches) cache.is_shared = false;
  const Forecast found = forecast(program(of), one, nullptr);
  const Forecast alike = alone(profile({{middle_cache / 4, 200e6}}), on);
  EXPECT_NEAR(found.seconds, cores * alike.seconds, 0.3 * found.seconds);
  EXPECT_LT(found.hi / found.lo, 1.2 * alike.hi / alike.lo) << "nothing else is open";
}

// Loops of a function that run for long come one after the other, as functions do.
TEST(Forecast, PhasesOfAFunctionAddUp) {
  const auto seconds = [](std::uint64_t loop) {
    Profile both = profile({stream, compute});
    both.functions[1].function = both.places[1].function = both.functions[0].function;
    both.functions[1].loop = both.places[1].loop = loop;
    return alone(both, roofs());
  };
  const double apart = alone(profile({stream, compute}), roofs()).seconds;
  EXPECT_NEAR(seconds(4096).seconds, apart, 1e-9);
  EXPECT_EQ(seconds(4096).functions.size(), 1);
  EXPECT_LT(seconds(0).seconds, 0.8 * apart) << "they overlap in one loop";
}

TEST(Forecast, OfARegionThatIsNotInTheProfile) {
  const Roofs of = roofs();
  const Profile program_of = profile({stream});
  Setting there = setting(of);
  there.like.region = "sweep";
  EXPECT_THROW(forecast(program(program_of), there, nullptr), Error);
}

}  // namespace
}  // namespace gable::model
