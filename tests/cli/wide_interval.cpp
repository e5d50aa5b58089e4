// The report's warning names the widest interval of the first screen, and a cause only if its visits show
// one.

#include "cli/report/sections.hpp"

#include <gtest/gtest.h>

namespace {

using gable::cli::ShownFolder;
using gable::model::Case;
using gable::model::Kind;
using gable::model::Pattern;
using gable::model::Roof;
using gable::model::Sample;
using gable::model::Tier;

Case case_of(const std::string& level, Kind kind = Kind::bandwidth) {
  Case spec;
  spec.kind = kind;
  spec.level = gable::model::Level(level);
  spec.pattern = level == "memory" ? Pattern::local : Pattern::cache;
  spec.node = 0;
  spec.tier = Tier::dram;
  spec.op = kind == Kind::latency ? gable::model::operations::chase : gable::model::operations::load;
  spec.pages = *gable::model::pages_named("2m");
  spec.threads = 2;
  return spec;
}

Roof roof_of(const Case& spec, double value, double lo, double hi) {
  Roof roof;
  roof.spec = spec;
  roof.value = value;
  roof.lo = lo;
  roof.hi = hi;
  roof.n = 80;
  roof.unit = spec.kind == Kind::latency ? "ns" : "GB/s";
  return roof;
}

// L1 from 300 to 420 GB/s (25 % below, 5 % above 400); memory within 20 %, its latency within 2 %.
ShownFolder folder_with_wide_l1() {
  ShownFolder shown;
  shown.roofs.roofs = {roof_of(case_of("L1"), 400, 300, 420), roof_of(case_of("memory"), 40, 32, 41),
                       roof_of(case_of("memory", Kind::latency), 100, 98, 101)};
  return shown;
}

// Visits to L1 in so many rounds, each with 80 repetitions.
std::vector<Sample> visits(int rounds) {
  std::vector<Sample> all;
  for (int round = 0; round < rounds; ++round) {
    Sample sample;
    sample.spec = case_of("L1");
    sample.round = round;
    sample.seconds.assign(80, 5e-4);
    sample.work.assign(80, 2e5);
    sample.adds_per_cycle = 4;
    sample.clock_ghz = 3;
    all.push_back(sample);
  }
  return all;
}

std::string said_of(const std::vector<Sample>& samples) {
  return wide_interval_sentence(folder_with_wide_l1(), samples);
}

TEST(WideInterval, NothingIsSaidOfNarrowIntervals) {
  ShownFolder shown = folder_with_wide_l1();
  for (Roof& roof : shown.roofs.roofs) roof.lo = 0.9 * roof.value;
  EXPECT_EQ(wide_interval_sentence(shown, visits(1)), "");
}

TEST(WideInterval, OfAllFiguresOfTheFirstScreenAndOfOneRound) {
  EXPECT_EQ(said_of(visits(1)),
            "Intervals reach ±25.0 % (L1 loads), because there was only 1 round: measure further rounds "
            "before you compare these figures.");
}

TEST(WideInterval, WhatTheTableDoesNotShowIsNotKnown) {
  ShownFolder shown = folder_with_wide_l1();
  shown.roofs.roofs.front() = roof_of(case_of("L1"), 400, 4, 40000);
  const std::string text = wide_interval_sentence(shown, visits(1));
  EXPECT_TRUE(text.starts_with("An interval is not known (L1 loads), because there was only 1 round"))
      << text;
}

TEST(WideInterval, ALatencyIsNamedAsSuch) {
  ShownFolder shown = folder_with_wide_l1();
  shown.roofs.roofs.back().hi = 150;
  EXPECT_EQ(wide_interval_sentence(shown, {}),
            "Intervals reach ±50.0 % (DRAM node 0 latency): measure again before you compare these figures.");
}

TEST(WideInterval, NoCauseIsNamedIfTheVisitsShowNone) {
  std::vector<Sample> samples = visits(6);
  samples.front().disturbed = 4;  // of 484
  samples.back().clock_ghz = 3.1;
  EXPECT_EQ(said_of(samples),
            "Intervals reach ±25.0 % (L1 loads). The samples do not show why: measure again before you "
            "compare these figures.");
  Sample other = samples.front();  // the disturbance of another figure
  other.spec = case_of("memory");
  other.disturbed = 500;
  samples.push_back(other);
  EXPECT_EQ(said_of(samples).find("because"), std::string::npos);
}

TEST(WideInterval, DroppedRepetitions) {
  std::vector<Sample> samples = visits(6);
  for (Sample& sample : samples) sample.disturbed = 20;  // of 100
  EXPECT_NE(said_of(samples).find(
                "because threads were stopped in 20 % of the repetitions: measure again at a quieter time"),
            std::string::npos)
      << said_of(samples);
}

TEST(WideInterval, CrowdedRepetitionsDroppedOrKept) {
  std::vector<Sample> samples = visits(5);
  samples.front().crowded = 100;        // of 500
  samples.back().adds_per_cycle = 2.5;  // all of its 80 are crowded
  EXPECT_NE(
      said_of(samples).find("because another hardware thread used the cores in 36 % of the repetitions"),
      std::string::npos)
      << said_of(samples);
}

TEST(WideInterval, ClockThatChangesAsMuch) {
  std::vector<Sample> samples = visits(6);
  samples.front().clock_ghz = 2.4;
  EXPECT_NE(said_of(samples).find("because the clock changed between 2.40 and 3.00 GHz"), std::string::npos)
      << said_of(samples);
}

TEST(WideInterval, TwoStates) {
  ShownFolder shown = folder_with_wide_l1();
  shown.roofs.roofs.front().remarks = {{gable::model::NoteCode::two_states, {"faster"}}};
  EXPECT_NE(wide_interval_sentence(shown, visits(6))
                .find("because the machine had two states: measure again before"),
            std::string::npos);
}

}  // namespace
