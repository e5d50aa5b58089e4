// Sources that sample something else than accesses are detected, and samples have their cost.

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/clocks.hpp"
#include "kmaf/live/samplers/perf_events.hpp"
#include "kmaf/live/samplers/precise_events.hpp"
#include "kmaf/live/samplers/self_test.hpp"

namespace gable::kmaf::live {
namespace {

TEST(Frequency, IsAtLeastOne) {
  EXPECT_EQ(frequency_within(0.01, 1e-5, 100'000), 1000u);
  EXPECT_EQ(frequency_within(0.5, 1e-9, 100'000), 100'000u);
  EXPECT_EQ(frequency_within(1e-6, 1e-2, 100'000), 1u);
}

// One disturbed walk does not affect the result, nor do samples without an address; the cost is always above
// 0.
TEST(SampleSeconds, AreTheMedianOfPairsOfWalks) {
  EXPECT_DOUBLE_EQ(
      sample_seconds_of({{1.3, 1, 100}, {1.2, 1, 100}, {9, 1, 100}, {0.1, 1, 100}, {1.2, 1, 50}}), 0.003);
  EXPECT_DOUBLE_EQ(sample_seconds_of({{1.2, 1, 100}, {5, 1, 0}, {6, 1, 0}}), 0.002);
  EXPECT_DOUBLE_EQ(sample_seconds_of({{0.9, 1, 100}, {0.8, 1, 100}, {1.1, 1, 100}}), 1e-6);
  EXPECT_DOUBLE_EQ(sample_seconds_of({}), 1e-6);
}

TEST(BeyondCaches, IsBounded) {
  EXPECT_GE(beyond_caches(), std::size_t{64} << 20);
  EXPECT_LE(beyond_caches(), std::size_t{256} << 20);
}

TEST(SelfTest, FindsWhatIsWrong) {
  const auto fault = [](int inside, int outside, pid_t tid, unsigned pu) {
    Events events;
    for (int i = 0; i < inside + outside; ++i)
      events.push_back({Event::Kind::access, 10, tid, 0, 0, i < inside ? 0x10fffu : 0x11000u, pu, 0});
    events.push_back({Event::Kind::access, 10, tid, 0, 0, 0, pu, 0});  // without an address
    return fault_of(events, 11, 3, 0x10000, 0x1000);
  };
  EXPECT_EQ(fault(20, 0, 11, 3), "");
  EXPECT_EQ(fault(20, 6, 11, 3), "") << "its stack";
  EXPECT_NE(fault(20, 7, 11, 3).find("20 lie in that memory"), std::string::npos);
  EXPECT_NE(fault(15, 0, 11, 3).find("15 samples"), std::string::npos);
  EXPECT_NE(fault(20, 0, 12, 3).find("another thread"), std::string::npos);
  EXPECT_NE(fault(20, 0, 11, 2).find("another hardware thread"), std::string::npos);
}

PerfSource software(std::uint64_t event, std::uint64_t period) {
  PerfSource source;
  source.name = "software";
  source.type = PERF_TYPE_SOFTWARE;
  source.config = event;
  source.period = period;
  return source;
}

class Tested : public testing::Test {
 protected:
  void SetUp() override {
    if (PerfEvents::refusal(PerfEvents::What::page_faults) != 0) GTEST_SKIP() << "perf is not allowed here";
  }
  static constexpr std::size_t bytes = 8 << 20;
};

TEST_F(Tested, SamplesOfAccessesPass) {
  const SelfTest test = self_test(software(PERF_COUNT_SW_PAGE_FAULTS, 1), bytes);
  EXPECT_EQ(test.fault, "");
  EXPECT_GT(test.sample_seconds, 0);
}

TEST_F(Tested, WhatBringsNoSamplesFails) {
  EXPECT_NE(self_test(software(PERF_COUNT_SW_DUMMY, 1), bytes).fault.find("0 samples"), std::string::npos);
  EXPECT_NE(
      self_test(software(PERF_COUNT_SW_PAGE_FAULTS, 1'000), bytes).fault.find("samples with an address"),
      std::string::npos)
      << "2048 pages";
}

TEST_F(Tested, SamplesWithoutAddressFail) {
  EXPECT_NE(self_test(software(PERF_COUNT_SW_CPU_CLOCK, 10'000), bytes).fault, "");
}

TEST_F(Tested, WhatPerfRefusesFailsWithItsReason) {
  PerfSource source = software(PERF_COUNT_SW_PAGE_FAULTS, 1);
  source.type = 0x7ffffff0;
  EXPECT_NE(self_test(source, bytes).fault.find("perf rejects it"), std::string::npos);
  source = software(PERF_COUNT_SW_PAGE_FAULTS, 1);
  source.cpus = {1 << 19};
  EXPECT_NE(self_test(source, bytes).fault.find("no usable hardware thread"), std::string::npos);
}

// A group's leader does not affect the samples.
TEST_F(Tested, Leaders) {
  PerfSource source = software(PERF_COUNT_SW_PAGE_FAULTS, 1);
  source.leader = PERF_COUNT_SW_CONTEXT_SWITCHES;
  EXPECT_EQ(self_test(source, bytes).fault, "");
}

// The rate applies to each thread, including later ones.
TEST_F(Tested, TheFrequencyIsThatOfEachThread) {
  PerfSource source = software(PERF_COUNT_SW_CPU_CLOCK, 1);
  source.frequency = 200;
  PerfEvents events({source}, getpid());
  events.enable();
  constexpr double seconds = 0.25;  // of CPU time
  pid_t tids[2] = {};
  const auto work = [&](int number) {
    tids[number] = gettid();
    while (thread_seconds() < seconds) {
      // An ordinary user gets no samples of the kernel, which tells the time.
      for (int i = 0; i < 100'000; ++i) asm volatile("");
    }
  };
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
  events.disable();
  const Events seen = events.read();
  for (const pid_t tid : tids) {
    const auto samples = std::count_if(seen.begin(), seen.end(), [&](const Event& event) {
      return event.kind == Event::Kind::access && event.tid == tid;
    });
    EXPECT_GE(samples, 25) << "of 50";
    EXPECT_LE(samples, 100);
  }
}

}  // namespace
}  // namespace gable::kmaf::live
