// Figures that a machine lacks make the time a range, or are named as the reason why there is none.

#include <gtest/gtest.h>

#include <algorithm>

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
  EXPECT_EQ(found.reason, "it has no bandwidth of memory");
  EXPECT_EQ(alone(profile({in_l2}), without).status, Status::ok) << "what it does not use it may lack";
  EXPECT_EQ(alone(profile({chained}), without).status, Status::skipped);
}

Roofs without_latencies() {
  Roofs without = roofs();
  std::erase_if(without.roofs, [](const Roof& each) {
    return each.spec.kind == Kind::latency || each.spec.kind == Kind::random;
  });
  return without;
}

// A chain in L2 or L3 takes a second, and what usual cores take is a range around it.
TEST(Forecast, WithoutLatenciesThoseOfUsualCoresCount) {
  for (const auto& [level, uses] : {std::pair{"L2", Uses{200e3, 4 * 250e6, AccessOrder::chained}},
                                    {"L3", Uses{8 << 20, 4 * 62.5e6, AccessOrder::chained}}}) {
    const Profile of = profile({uses});
    const Roofs here_roofs = roofs();
    const Setting here = timed(setting(here_roofs), alone(of, here_roofs).seconds);
    const Roofs without = without_latencies();
    const Forecast found = forecast(program(of), setting(without, "there"), &here);
    ASSERT_EQ(found.status, Status::ok) << found.reason;
    EXPECT_EQ(found.binds.front().what, "the latency of loads that wait for each other") << level;
    EXPECT_GT(found.lo, 0.1) << level;
    EXPECT_LT(found.lo, 1) << level;
    EXPECT_GT(found.hi, 1) << level;
    const Note missing(NoteCode::missing_latency, {level});
    EXPECT_NE(std::ranges::find(found.missing, missing), found.missing.end()) << level;
  }
}

TEST(Forecast, LoadsThatWaitForAMemoryWithoutALatencyAreRefused) {
  const Roofs without = without_latencies();
  const Forecast of_chain = alone(profile({chained}), without);
  EXPECT_EQ(of_chain.reason,
            "it has no latency of memory node 0, and the program follows chains of loads there");
  const Forecast unordered = alone(profile({scattered}), without);
  EXPECT_EQ(unordered.reason,
            "it has no latency of memory node 0, and the program loads lines without an order there");
}

// The loader of a program follows some pointers, which take no time that counts.
TEST(Forecast, FewLoadsThatWaitNeedNoLatency) {
  Profile of = profile({{far, 300, AccessOrder::chained}, {far, 300, AccessOrder::independent}, compute});
  of.functions.back().instructions.executed = 50e9;
  const Forecast found = alone(of, without_latencies());
  EXPECT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_TRUE(std::ranges::none_of(found.missing,
                                   [](const Note& note) { return note.code == NoteCode::missing_latency; }));
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

// A program of instructions, divisions and a chain of additions, each of which takes a second of four cores
// that do 4 additions and a third of a division in a cycle, and an addition of the chain in 4.
struct CoreBound {
  Roofs all = roofs();
  Profile of = profile({in_l2});

  CoreBound(double executed, double divisions, double additions) {
    FunctionWork& work = of.functions.front();
    work.instructions.executed = 48e9 * executed;
    work.instructions.path[LatencyClass::integer] = 1;
    work.instructions.path[LatencyClass::add] = 3e9 * additions;
    work.flops = 4e9 * divisions;
    work.arithmetic = {{Operation("div"), Precision::dp, 256, work.flops}};
    all.roofs.front().adds_per_cycle = 4;
    Roof peak = roof(Kind::flops, "core", Pattern::core, Operation("div"), 4);
    peak.spec.precision = Precision::dp;
    all.roofs.push_back(peak);
    all.roofs.push_back(roof(Kind::operation, "core", Pattern::core, Operation("chain_add"), 4 / 3.0));
    all.roofs.back().spec.threads = 1;
  }

  Roofs without() const {
    Roofs fewer = all;
    std::erase_if(fewer.roofs, [](const Roof& each) {
      return each.spec.kind == Kind::operation || is_division(each.spec.op);
    });
    for (Roof& each : fewer.roofs) each.adds_per_cycle = 0;
    return fewer;
  }
};

TEST(Forecast, FiguresOfACoreThatAMachineLacksAreThoseOfUsualCores) {
  const std::vector<std::pair<CoreBound, Note>> programs = {
      {{1, 0, 0}, {NoteCode::missing_rate, {"instructions"}}},
      {{0.1, 1, 0}, {NoteCode::missing_rate, {"divisions"}}},
      {{0.1, 0, 1}, {NoteCode::missing_latency, {"operations"}}}};
  for (const auto& [program_of, missing] : programs) {
    const Forecast all = alone(program_of.of, program_of.all);
    const Forecast found = alone(program_of.of, program_of.without());
    EXPECT_TRUE(all.missing.empty()) << sentences(all.missing).front();
    EXPECT_NE(std::ranges::find(found.missing, missing), found.missing.end()) << sentence(missing);
    EXPECT_GT(all.seconds, 0.8);
    EXPECT_LT(found.lo, all.seconds) << sentence(missing);
    EXPECT_GT(found.hi, all.seconds) << sentence(missing);
    EXPECT_GT(found.hi / found.lo, 1.3 * all.hi / all.lo) << sentence(missing);
  }
}

TEST(Forecast, ATimeElsewhereTellsMoreThanUsualCores) {
  const CoreBound program_of(1, 0, 0);
  const Setting here = timed(setting(program_of.all), 1.2);
  const Roofs without = program_of.without();
  const Forecast found = forecast(program(program_of.of), setting(without, "there"), &here);
  EXPECT_NEAR(found.seconds, 1.2, 0.12);
  EXPECT_LT(found.hi / found.lo, alone(program_of.of, without).hi / alone(program_of.of, without).lo);
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
