// On an emulated machine the work of every thread counts, even if it started late or stalled;
// on any other machine nothing changes.

#include "bench/visit/watch.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <numeric>

#include "bench/visit/utc.hpp"

namespace {

using namespace gable::bench;

Timekeeping emulated() {
  gable::machines::Host host;
  host.emulated = true;
  return Timekeeping(host);
}

Timekeeping real() {
  return Timekeeping(gable::machines::Host());
}

// Ticks half a millisecond apart, and in the middle a pause.
Timeline timeline(std::int64_t begin_ns, std::int64_t pause_ns) {
  Timeline result;
  result.work_per_iteration = 64;
  std::int64_t now = begin_ns;
  for (std::uint64_t tick = 0; tick < 21; ++tick) {
    result.ticks.push_back({now, 100 * tick});
    now += 500'000 + (tick == 10 ? pause_ns : 0);
  }
  return result;
}

TEST(Utc, IsThisSecond) {
  const std::time_t before = std::time(nullptr);
  const std::string text = utc_now();
  std::tm parts{};
  const char* const end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  ASSERT_NE(end, nullptr) << text;
  EXPECT_EQ(*end, 0) << text;
  EXPECT_GE(timegm(&parts), before) << text;
  EXPECT_LE(timegm(&parts), std::time(nullptr)) << text;
}

TEST(Timekeeping, OneAfterTheOtherIsEnoughUnderEmulation) {
  const std::vector<Timeline> turns = {timeline(0, 0), timeline(700'000'000, 300'000'000),
                                       timeline(1'900'000'000, 0)};
  EXPECT_TRUE(real().repetitions(turns, 500'000).work.empty()) << "they never ran at the same time";
  const Repetitions cut_out = emulated().repetitions(turns, 500'000);
  ASSERT_EQ(cut_out.work.size(), turns.size());
  EXPECT_GE(cut_out.disturbed.size(), least_repetitions);
  for (const bool disturbed : cut_out.disturbed) EXPECT_FALSE(disturbed);
  for (const auto& work : cut_out.work) {
    EXPECT_EQ(work.size(), cut_out.disturbed.size());
    for (const double each : work) EXPECT_GE(each, 1);
  }
  const auto& whole = cut_out.work.front();
  EXPECT_NEAR(std::accumulate(whole.begin(), whole.end(), 0.0), 64 * 100 * 20, 1);
}

TEST(Timekeeping, APauseSpoilsARepetitionOfARealMachine) {
  const auto disturbed = real().repetitions({timeline(0, 5'000'000)}, 500'000).disturbed;
  EXPECT_GE(std::count(disturbed.begin(), disturbed.end(), true), 10);
  EXPECT_LT(std::count(disturbed.begin(), disturbed.end(), true), static_cast<long>(disturbed.size()));
}

TEST(Timekeeping, TooShortATimelineIsNoFigure) {
  Timeline stopped;
  stopped.ticks = {{5, 0}};
  for (const Timekeeping& time : {real(), emulated()}) {
    EXPECT_TRUE(time.repetitions({timeline(0, 0), stopped}, 500'000).work.empty());
    EXPECT_TRUE(time.repetitions({timeline(0, 0), Timeline()}, 500'000).work.empty());
    EXPECT_TRUE(time.repetitions({}, 500'000).work.empty());
  }
}

TEST(Timekeeping, CoRunnersAndTheClockCountWhereTimeDoes) {
  EXPECT_TRUE(real().spoilt_by({0, 1.0}, 8));
  EXPECT_FALSE(real().spoilt_by({0, 0.1}, 8));
  EXPECT_FALSE(emulated().spoilt_by({0, 7.0}, 8));
  EXPECT_TRUE(real().seen_spoilt_by({0, 1.0, 0.5}, 8));
  EXPECT_FALSE(real().seen_spoilt_by({0, 0.25, 0.5}, 8)) << "daemons are part of the machine";
  EXPECT_FALSE(real().seen_spoilt_by({0, 1.0, 0.02}, 8)) << "ticks are too coarse for so short a time";
  EXPECT_FALSE(emulated().seen_spoilt_by({0, 7.0, 0.5}, 8));
  EXPECT_FALSE(real().clock_note(2.0, 3.0).empty());
  EXPECT_TRUE(real().clock_note(3.0, 2.99).empty());
  EXPECT_TRUE(emulated().clock_note(0.01, 3.0).empty());
  EXPECT_TRUE(real().notes().empty());
  ASSERT_EQ(emulated().notes().size(), 1u);
  EXPECT_EQ(emulated().notes().front().code, gable::model::NoteCode::emulated);
}

}  // namespace
