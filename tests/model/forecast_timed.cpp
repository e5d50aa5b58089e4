// A time that was measured on one machine is right there, and is carried over to others as verdicts would
// have it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/points/binding.hpp"
#include "model/predict/needs/part_time.hpp"
#include "tests/model/forecast_programs.hpp"

namespace gable::model {
namespace {

using namespace invented;

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

Setting of_cpu(const char* cpu, Setting setting) {
  setting.cpu = cpu;
  return setting;
}

// Of what the model does not explain, the other kind of CPU shares the square root. The time of a program
// that waits for its input is the program's own.
TEST(Forecast, ErrorsOfTheModelAreThoseOfAKindOfCpu) {
  const Roofs of = roofs();
  const Profile program_of = profile({stream});
  const double alone = forecast(program(program_of), setting(of), nullptr).seconds;
  for (const double factor : {1.44, 1 / 1.44, 1.1}) {
    const Setting here = of_cpu("A", timed(setting(of), factor * alone));
    const auto seconds = [&](const char* cpu) {
      return forecast(program(program_of), of_cpu(cpu, setting(of, "there")), &here).seconds;
    };
    EXPECT_NEAR(seconds("A"), factor * alone, 1e-6 * alone);
    EXPECT_NEAR(seconds("B"), std::sqrt(factor) * alone, 1e-6 * alone);
    EXPECT_NEAR(seconds(""), std::sqrt(factor) * alone, 1e-6 * alone) << "which kind it is, is not known";
  }
  const Setting unknown = timed(setting(of), 1.44 * alone);
  EXPECT_NEAR(forecast(program(program_of), setting(of, "there"), &unknown).seconds, 1.2 * alone,
              1e-6 * alone);
  const Setting waits = of_cpu("A", timed(setting(of), 100 * alone));
  EXPECT_GT(forecast(program(program_of), of_cpu("B", setting(of, "there")), &waits).seconds, 50 * alone);
}

TEST(Forecast, OfATimedStreamFollowsTheMemory) {
  const Roofs slow = roofs(), fast = roofs(2);
  const Profile of = profile({stream});
  const Setting here = of_cpu("A", timed(setting(slow), 1.1));
  const Forecast found = forecast(program(of), of_cpu("A", setting(fast, "there")), &here);
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
  const Setting here = of_cpu("A", timed(setting(slow), 4));
  const Forecast found = forecast(program(of), of_cpu("A", setting(fast, "there")), &here);
  EXPECT_NEAR(found.explained_percent, 25, 5);
  EXPECT_GT(found.seconds, 2.5);
  EXPECT_LT(found.seconds, 3.4);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes.front().find("the roofs explain"), std::string::npos);
  EXPECT_EQ(found.binds.front().what, not_explained);
}

// Four threads compute for a second and wait for each other for a second: one thread computes for four.
TEST(Forecast, OneThreadWaitsForNoOther) {
  const Roofs of = roofs();
  const Profile program_of = profile({compute});
  Setting here = timed(setting(of), 2);
  here.like.user_seconds = 8;
  here.like.samples.all = 8000;
  here.like.samples.seconds = 1e-3;
  here.like.samples.elsewhere = here.like.samples.spinning = {{"/usr/lib/libgomp.so.1", 4000}};
  Setting there = setting(of);
  there.like.threads = 1;
  const Forecast found = forecast(program(program_of), there, &here);
  EXPECT_NEAR(found.seconds, 4, 0.3);
  here.like.samples = {};
  const Forecast all = forecast(program(program_of), there, &here);
  EXPECT_GT(all.seconds, 7) << "without samples nothing tells that they wait";
  EXPECT_TRUE(std::ranges::any_of(found.notes, [](const std::string& note) {
    return note.find("50 % of their CPU time here in loops that wait for other threads") != std::string::npos;
  }));
}

// How long four threads wait for a line that they contend for is not known: up to ten times what they took.
// One thread has to compute for all of them, and contends with none.
TEST(Forecast, OtherCoresHoldAProgramUpForNoLongerThanItTook) {
  Roofs of = roofs();
  of.line_in_cluster = Estimate{50, 45, 55, 5};
  Profile program_of = profile({compute});
  program_of.accesses.front().loads = program_of.uses.front().contested = 240e6;
  program_of.functions.front().load_bytes = program_of.accesses.front().load_bytes = 8 * 240e6;
  const Setting here = timed(setting(of), 1.2);
  Setting there = setting(of);
  there.like.threads = 1;
  const Forecast found = forecast(program(program_of), there, &here);
  EXPECT_GT(found.lo, 2) << "computing takes four seconds";
  EXPECT_GT(found.hi, 4);
}

// A chain of forwarded stores would take ten seconds; the program took 1.2, so the chain was not one. Flops
// need a second here, and four where a core is as fast but has a quarter of the units.
TEST(Forecast, WhatANeedSaysTooMuchDoesNotShortenTheOthers) {
  const Roofs of = roofs();
  Roofs narrow = of;
  for (Roof& each : narrow.roofs) {
    if (each.spec.kind == Kind::flops) each.value = each.lo = each.hi = each.value / 4;
  }
  Roofs with_chains = of;
  with_chains.roofs.push_back(roof(Kind::operation, "core", Pattern::core, Operation("chain_forward"), 1));
  Profile program_of = profile({compute});
  program_of.functions.front().instructions.executed = 1e9;
  program_of.functions.front().instructions.path[LatencyClass::forward] = 10e9 * cores;
  const Setting here = timed(setting(with_chains), 1.2);
  const Forecast found = forecast(program(program_of), setting(narrow, "there"), &here);
  EXPECT_GT(found.seconds, 3.5);
  EXPECT_EQ(found.binds.front().what, "arithmetic");
}

// On huge pages, the kernel takes between the time of clearing the pages and that of all faults.
TEST(Forecast, HugePagesHaveFewerFaults) {
  const Roofs of = roofs();
  const Profile program_of = profile({compute});
  Setting here = timed(setting(of), 2);
  here.like.huge_pages_percent = 0;
  here.like.user_seconds = 4;
  here.like.kernel_seconds = 4;
  here.like.page_faults = 4e6;
  Setting there = setting(of);
  there.like.huge_pages_percent = 100;
  const Forecast found = forecast(program(program_of), there, &here);
  EXPECT_LT(found.lo, 1.15) << "a second of computing, and a tenth of clearing";
  EXPECT_GT(found.hi, 2);
  here.like.page_faults = 10;
  EXPECT_GT(forecast(program(program_of), there, &here).lo, 1.7) << "system calls stay";
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

}  // namespace
}  // namespace gable::model
