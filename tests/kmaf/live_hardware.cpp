// The processor's own samples, where there are none: what sysfs says of events becomes what perf is asked
// for, the rate becomes a period, and whoever samples something else than accesses is found out. Page faults
// stand for the processor's events.

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "kmaf/live/perf_events.hpp"
#include "kmaf/live/period.hpp"
#include "kmaf/live/precise_events.hpp"
#include "kmaf/live/sampler.hpp"
#include "kmaf/live/self_test.hpp"

namespace gable::kmaf::live {
namespace {

namespace fs = std::filesystem;

TEST(PutTerm, PutsBitsWhereTheFormatSays) {
  PerfSource source;
  EXPECT_TRUE(put_term("config:0-7", 0xcd, source));
  EXPECT_TRUE(put_term("config:8-15", 0x1, source));
  EXPECT_TRUE(put_term("config:23", 1, source));
  EXPECT_EQ(source.config, 0x8001cdu);
  EXPECT_TRUE(put_term("config1:0-15", 3, source));
  EXPECT_EQ(source.config1, 3u);
  EXPECT_TRUE(put_term("config2:0-3,32-35", 0x21, source)) << "the low bits first";
  EXPECT_EQ(source.config2, 0x2'0000'0001u);
}

TEST(PutTerm, RefusesWhatDoesNotFit) {
  PerfSource source;
  for (const char* const format :
       {"config:0-7", "config3:0-15", "config", "config:7-0", "config:60-64", "config:x", ""})
    EXPECT_FALSE(put_term(format, 0x100, source)) << format;
}

class Sysfs : public testing::Test {
 protected:
  Sysfs() : root_(fs::temp_directory_path() / ("gable_sysfs_" + std::to_string(getpid()))) {
    fs::create_directories(root_);
  }
  ~Sysfs() override { fs::remove_all(root_); }
  void file(const std::string& path, const std::string& text) {
    const fs::path whole = root_ / "sys/bus/event_source/devices" / path;
    fs::create_directories(whole.parent_path());
    std::ofstream(whole) << text << "\n";
  }
  void intel(const std::string& pmu, const std::string& type, const std::string& event) {
    file(pmu + "/type", type);
    file(pmu + "/format/event", "config:0-7");
    file(pmu + "/format/umask", "config:8-15");
    file(pmu + "/format/ldlat", "config1:0-15");
    file(pmu + "/events/mem-loads", event);
  }
  PreciseEvents found() const { return precise_events(Settings(root_)); }

  fs::path root_;
};

TEST_F(Sysfs, OfIntel) {
  intel("cpu", "4", "event=0xcd,umask=0x1,ldlat=3");
  PerfSource expected;
  expected.name = "cpu/mem-loads/";
  expected.type = 4;
  expected.config = 0x1cd;
  expected.config1 = 3;
  expected.precise = 3;
  EXPECT_EQ(found().sources, std::vector{expected});
  file("cpu/events/mem-loads-aux", "event=0x03,umask=0x82");
  expected.leader = 0x8203;
  EXPECT_EQ(found().sources, std::vector{expected});
}

TEST_F(Sysfs, OfTwoKindsOfCores) {
  intel("cpu_core", "4", "event=0xcd,umask=0x1,ldlat=3");
  file("cpu_core/events/mem-loads-aux", "event=0x03,umask=0x82");
  file("cpu_core/cpus", "0-1,4");
  intel("cpu_atom", "10", "event=0xd0,umask=0x5,ldlat=3");
  file("cpu_atom/cpus", "6-7");
  const auto sources = found().sources;
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[0].cpus, (std::vector{0, 1, 4}));
  EXPECT_TRUE(sources[0].leader);
  EXPECT_EQ(sources[1].cpus, (std::vector{6, 7}));
  EXPECT_EQ(sources[1].type, 10u);
  EXPECT_EQ(sources[1].config, 0x5d0u);
  EXPECT_FALSE(sources[1].leader);
}

TEST_F(Sysfs, OfAmd) {
  file("cpu/type", "4");  // counts, and has no mem-loads
  file("ibs_op/type", "11");
  file("ibs_op/format/cnt_ctl", "config:19");
  const auto sources = found().sources;
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].type, 11u);
  EXPECT_EQ(sources[0].config, 1u << 19);
  EXPECT_EQ(sources[0].precise, 0u);
  EXPECT_EQ(sources[0].period_step, 16u);
}

TEST_F(Sysfs, WithoutEventsOrWithOnesThatAreNotUnderstood) {
  EXPECT_TRUE(found().sources.empty());
  EXPECT_NE(found().missing.find("virtual machine"), std::string::npos);
  intel("cpu", "4", "event=0xcd,unknown=0x1");
  EXPECT_TRUE(found().sources.empty());
  intel("cpu", "4", "event=0x1cd");
  EXPECT_TRUE(found().sources.empty());
  intel("cpu", "none", "event=0xcd");
  EXPECT_TRUE(found().sources.empty());
  intel("cpu", "4", "event=0xcd");
  EXPECT_EQ(found().sources.size(), 1u);
}

// An event that is described and does not sample: refused with its name, and hint faults come first.
TEST_F(Sysfs, WhatTheProcessorLacksIsNotUsed) {
  const auto& all = samplers();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_STREQ(all[0].name, "hint-faults");
  EXPECT_STREQ(all[1].name, "hardware");
  EXPECT_FALSE(all[1].balances);
  if (PerfEvents::refusal(PerfEvents::What::tasks) != 0) GTEST_SKIP() << "perf is not allowed here";
  const Settings settings(root_);
  EXPECT_NE(all[1].missing(settings).what.find("no precise memory event"), std::string::npos);
  intel("cpu", "1", "event=0x09");  // PERF_COUNT_SW_DUMMY
  EXPECT_NE(all[1].missing(settings).what.find("cpu/mem-loads/"), std::string::npos);
}

// Samples that come in proportion to the period are brought to what is wanted, from both sides.
TEST(PeriodControl, BringsTheRateThatIsWanted) {
  for (const double loads_per_second : {1e6, 1e8, 1e9}) {
    for (const double wanted : {500.0, 20'000.0}) {
      PeriodControl control(16411, 256, 1u << 26, 1);
      for (int i = 0; i < 12; ++i)
        control.adapt(wanted, loads_per_second / static_cast<double>(control.period()) * 0.1, 0.1);
      EXPECT_NEAR(loads_per_second / static_cast<double>(control.period()),
                  std::min(wanted, loads_per_second / 256), 0.25 * wanted)
          << loads_per_second;
    }
  }
}

TEST(PeriodControl, StaysWithinItsLimitsAndOnItsSteps) {
  PeriodControl control(16411, 256, 1u << 20, 16);
  EXPECT_EQ(control.period(), 16400u);
  EXPECT_TRUE(control.adapt(1000, 0, 0.1)) << "without samples it falls";
  EXPECT_EQ(control.period(), 16400u / 8 / 16 * 16);
  for (int i = 0; i < 10; ++i) control.adapt(1000, 0, 0.1);
  EXPECT_EQ(control.period(), 256u);
  for (int i = 0; i < 30; ++i) control.adapt(1000, 1e6, 0.1);
  EXPECT_EQ(control.period(), 1u << 20);
  EXPECT_FALSE(control.adapt(1000, 110, 0.1)) << "a tenth is not worth it";
  EXPECT_FALSE(control.adapt(0, 110, 0.1));
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
  EXPECT_NE(fault(20, 7, 11, 3).find("20 lie in it"), std::string::npos);
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
  EXPECT_GE(test.sample_seconds, 0);
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
  EXPECT_NE(self_test(source, bytes).fault.find("perf refuses it"), std::string::npos);
  source = software(PERF_COUNT_SW_PAGE_FAULTS, 1);
  source.cpus = {1 << 19};
  EXPECT_NE(self_test(source, bytes).fault.find("none of the hardware threads"), std::string::npos);
}

// The period that is set holds from then on, and a group's leader does not disturb the samples.
TEST_F(Tested, PeriodsAndLeaders) {
  PerfSource source = software(PERF_COUNT_SW_PAGE_FAULTS, 1);
  source.leader = PERF_COUNT_SW_CONTEXT_SWITCHES;
  EXPECT_EQ(self_test(source, bytes).fault, "");
  PerfEvents events({source}, getpid());
  events.enable();
  const auto samples_of_walk = [&] {
    const std::size_t page = 4096;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    for (std::size_t at = 0; at < bytes; at += page) static_cast<volatile char*>(memory)[at] = 1;
    munmap(memory, bytes);
    std::size_t samples = 0;
    for (const Event& event : events.read()) samples += event.kind == Event::Kind::access ? 1 : 0;
    return samples;
  };
  EXPECT_GE(samples_of_walk(), bytes / 4096);
  events.set_period(64);
  const std::size_t fewer = samples_of_walk();
  EXPECT_GE(fewer, bytes / 4096 / 64 - 1);
  EXPECT_LE(fewer, bytes / 4096 / 16);
  events.disable();
  EXPECT_EQ(samples_of_walk(), 0u);
}

}  // namespace
}  // namespace gable::kmaf::live
