// Hardware sampling without such hardware: events of sysfs are converted for perf, the budget to a rate.
// Page faults simulate the processor's events.

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "kmaf/live/samplers/perf_events.hpp"
#include "kmaf/live/samplers/precise_events.hpp"
#include "kmaf/live/samplers/sampler.hpp"

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
  file("cpu/type", "4");  // counting only, without mem-loads
  file("ibs_op/type", "11");
  file("ibs_op/format/cnt_ctl", "config:19");
  const auto sources = found().sources;
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].type, 11u);
  EXPECT_EQ(sources[0].config, 1u << 19);
  EXPECT_EQ(sources[0].precise, 0u);
  EXPECT_EQ(sources[0].config2, 0u);
  EXPECT_NE(sources[0].needs.find("6.2"), std::string::npos);
  EXPECT_NE(sources[0].needs.find("paranoid"), std::string::npos);
  file("ibs_op/format/swfilt", "config2:0");  // a kernel that can exclude its own samples
  EXPECT_EQ(found().sources[0].config2, 1u);
  EXPECT_EQ(found().sources[0].needs.find("paranoid"), std::string::npos);
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

// A described event that gives no samples is refused with its name.
TEST_F(Sysfs, WhatTheProcessorLacksIsNotUsed) {
  const auto& all = samplers();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_STREQ(all[0].name, "hint-faults");
  EXPECT_STREQ(all[1].name, "hardware");
  EXPECT_TRUE(all[0].is_default);
  EXPECT_FALSE(all[1].is_default) << "it has not been validated on hardware";
  EXPECT_FALSE(all[1].balances);
  if (PerfEvents::refusal(PerfEvents::What::tasks) != 0) GTEST_SKIP() << "perf is not allowed here";
  Settings settings(root_);
  const auto missing = [&] {
    const Offer offer = all[1].make(settings, 0.01);
    EXPECT_EQ(offer.sampler, nullptr);
    return offer.missing.what;
  };
  EXPECT_NE(missing().find("no precise memory event"), std::string::npos);
  file("ibs_op/type", "2147483632");  // missing
  EXPECT_NE(missing().find("it needs Linux 6.2 or later, and kernel.perf_event_paranoid"), std::string::npos);
  intel("cpu", "1", "event=0x09");  // PERF_COUNT_SW_DUMMY
  EXPECT_NE(missing().find("cpu/mem-loads/"), std::string::npos);
}

// The rate is set once, from the budget, and never exceeds the kernel's limit.
TEST_F(Sysfs, TheRateIsTheBudgets) {
  if (PerfEvents::refusal(PerfEvents::What::tasks) != 0) GTEST_SKIP() << "perf is not allowed here";
  intel("cpu", "1",
        "event=0x02");  // PERF_COUNT_SW_PAGE_FAULTS: repeated walks give none, so the cost is 1 us
  Settings settings(root_);
  const auto rate = [&](double budget) {
    return samplers()[1].make(settings, budget).sampler->fixed_rate().value_or(0);
  };
  EXPECT_DOUBLE_EQ(rate(0.01), 5000) << "half of it is for what follows from a sample";
  EXPECT_DOUBLE_EQ(rate(0.02), 10000);
  fs::create_directories(root_ / "proc/sys/kernel");
  std::ofstream(root_ / "proc/sys/kernel/perf_event_max_sample_rate") << "700\n";
  EXPECT_DOUBLE_EQ(rate(0.01), 700);
}

// The kernel hides all pages in a period, and a page gives at most one sample.
TEST_F(Sysfs, HintFaultsHidePagesAtTheWantedRate) {
  if (PerfEvents::refusal(PerfEvents::What::page_faults) != 0) GTEST_SKIP() << "perf is not allowed here";
  const auto put = [&](const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path.substr(1)).parent_path());
    std::ofstream(root_ / path.substr(1)) << text << "\n";
  };
  put(numa_balancing, "1");
  for (const char* name : {"scan_delay_ms", "scan_period_min_ms", "scan_period_max_ms", "scan_size_mb"})
    put(std::string(scan_knobs) + name, "1");
  Settings settings(root_);
  Journal journal = Journal::unnamed();
  settings.record_in(journal);
  const Offer offer = hint_faults_sampler.make(settings, 0.01);
  ASSERT_TRUE(offer.sampler) << offer.missing.what;
  const auto period = [&](double per_second, double pages) {
    offer.sampler->set_rate(per_second, pages);
    const auto least = settings.read(std::string(scan_knobs) + "scan_period_min_ms");
    EXPECT_EQ(least, settings.read(std::string(scan_knobs) + "scan_period_max_ms"));
    return std::stod(least.value_or("0"));
  };
  EXPECT_EQ(period(100, 2000), 20'000);
  EXPECT_EQ(period(0.5, 20), 40'000);
  EXPECT_EQ(period(0, 20), 600'000) << "as rarely as possible";
  EXPECT_EQ(period(1e5, 1000), 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(period(100, 16000), 10'000) << "nobody accessed what was hidden: 16 pages a sample, not more";
}

}  // namespace
}  // namespace gable::kmaf::live
