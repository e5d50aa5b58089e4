// The code of the pmu counter with the kernel's software counters, which need no hardware,
// and its messages without hardware counters.

#include "points/counters/pmu.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/perf/counters.hpp"
#include "base/temporary_folder.hpp"
#include "points/run.hpp"

namespace gable::points {
namespace {

perf_event_attr page_faults() {
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
  return attributes;
}

bool allowed() {
  try {
    const PerfCounters opened({page_faults()}, PerfCounters::Whom::this_thread);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

TEST(PerfCounters, CountThisThreadBetweenStartAndRead) {
  if (!allowed()) GTEST_SKIP() << "perf_event_open is not allowed here";
  PerfCounters counters({page_faults()}, PerfCounters::Whom::this_thread);
  counters.start();
  constexpr std::size_t pages = 1000, bytes = pages * 4096;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < bytes; i += 4096) static_cast<volatile char*>(memory)[i] = 1;
  const auto readings = counters.read();
  munmap(memory, bytes);
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_GE(readings[0].count, pages);
  EXPECT_LT(readings[0].count, 2 * pages);
}

TEST(PerfCounters, CountProgramsAndWhatTheyStartFromTheirExecOn) {
  if (!allowed()) GTEST_SKIP() << "perf_event_open is not allowed here";
  const auto faults_of = [](const std::string& script) {
    const PerfCounters counters({page_faults()}, PerfCounters::Whom::from_exec);
    EXPECT_EQ(run({"/bin/sh", "-c", script}, {}).status, 0);
    return counters.read().at(0).count;
  };
  const double one = faults_of("/bin/true"),
               many = faults_of("for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done");
  EXPECT_GT(one, 10);
  EXPECT_GT(many, one + 9 * 20);  // every start of a program touches tens of pages
}

TEST(PerfCounters, AnEventThatIsNoneIsAnError) {
  perf_event_attr nonsense = {};
  nonsense.type = 0x7fffffff;
  EXPECT_THROW(PerfCounters({nonsense}, PerfCounters::Whom::this_thread), std::system_error);
}

// Readings like those of a processor.
EventSource source_of(const std::map<std::string, PerfReading>& readings) {
  EventSource source;
  std::vector<PerfReading> values;
  for (const auto& [name, reading] : readings) {
    source.names.push_back(name);
    values.push_back(reading);
  }
  source.read = [values](PerfCounters::Whom, const std::function<void()>& work) {
    work();
    return values;
  };
  return source;
}

const std::string intel = "FP_ARITH_INST_RETIRED:";

EventSource skylake() {
  std::map<std::string, PerfReading> readings;
  for (const char* width : {"SCALAR_SINGLE", "SCALAR_DOUBLE", "128B_PACKED_SINGLE", "128B_PACKED_DOUBLE",
                            "256B_PACKED_SINGLE", "256B_PACKED_DOUBLE", "512B_PACKED_SINGLE"})
    readings[intel + width] = {0, 1};
  readings[intel + "512B_PACKED_DOUBLE"] = {100, 1};
  readings["MEM_INST_RETIRED:ALL_LOADS"] = {7000, 1};
  readings["MEM_INST_RETIRED:ALL_STORES"] = {3000, 1};
  return source_of(readings);
}

bool says(const gable::model::Notes& notes, const std::string& what) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const auto& note) { return sentence(note).find(what) != std::string::npos; });
}

TEST(Pmu, CountsFlopsByLanesAndNoBytes) {
  const Counts counts = count_events(skylake(), {{"/bin/true"}});
  EXPECT_EQ(counts.counter, "pmu");
  EXPECT_EQ(counts.total.flop_count(), 800u);
  EXPECT_FALSE(counts.total.load_bytes || counts.total.store_bytes);
  EXPECT_TRUE(says(counts.notes, "7000 loads and 3000 stores; the counters do not show their widths"));
  EXPECT_FALSE(says(counts.notes, "multiplexed"));
  EXPECT_FALSE(says(counts.notes, "not counted"));
}

TEST(Pmu, SaysWhichWidthsWereNotCountedAndWhichCannotOccur) {
  const std::map<std::string, PerfReading> scalar = {{intel + "SCALAR_DOUBLE", {5, 1}}};
  EXPECT_TRUE(says(count_events(source_of(scalar), {{"/bin/true"}}).notes, "512B_PACKED_DOUBLE"));
  EventSource without = source_of(scalar);
  without.none = {intel + "512B_PACKED_DOUBLE", intel + "512B_PACKED_SINGLE"};
  const Counts counts = count_events(without, {{"/bin/true"}});
  EXPECT_TRUE(says(counts.notes, "not counted"));
  EXPECT_FALSE(says(counts.notes, "512B"));
  EXPECT_EQ(counts.total.flop_count(), 5u);
}

TEST(Pmu, SaysForHowLongACounterThatTookTurnsCounted) {
  const EventSource source =
      source_of({{intel + "SCALAR_DOUBLE", {5, 1}}, {intel + "SCALAR_SINGLE", {5, 0.4}}});
  EXPECT_TRUE(says(count_events(source, {{"/bin/true"}}).notes, "one counted 40 % of the time"));
}

TEST(Pmu, ACounterThatNeverCountedIsNoNought) {
  const EventSource source = source_of({{intel + "SCALAR_DOUBLE", {0, 0}}});
  EXPECT_THROW(count_events(source, {{"/bin/true"}}), Error);
}

TEST(Pmu, AProgramThatFailsIsNotCounted) {
  try {
    count_events(skylake(), {{"/bin/false"}});
    ADD_FAILURE() << "it was counted";
  } catch (const Error& error) {
    EXPECT_EQ(error.status, 1);
  }
}

TEST(Pmu, ErrorsOnKnownWorkAreRelativeToIt) {
  bool ran = false;
  const auto errors = test_events(skylake(), {{"fma_dp", 1000, [&] { ran = true; }}, {"mul_dp", 800, [] {}}});
  EXPECT_TRUE(ran);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_NEAR(errors[0].percent(), -20, 1e-9);
  EXPECT_NEAR(errors[1].percent(), 0, 1e-9);
}

TEST(Pmu, RefusesProgramsThatTheCountersDoNotFollow) {
  const TemporaryFolder folder("test");
  const std::string copy = folder.path / "true";
  std::filesystem::copy_file("/bin/true", copy);
  EXPECT_NO_THROW(count_events(skylake(), {{copy}}));
  ASSERT_EQ(chmod(copy.c_str(), 04755), 0);
  EXPECT_THROW(count_events(skylake(), {{copy}}), Error);
  ASSERT_EQ(chmod(copy.c_str(), 02755), 0);
  EXPECT_THROW(count_events(skylake(), {{copy}}), Error);
  ASSERT_EQ(chmod(copy.c_str(), 0755), 0);
  // linux/capability.h: struct vfs_cap_data of revision 2 with cap_net_raw permitted
  const std::uint32_t capability[5] = {0x02000001, 1 << 13, 0, 0, 0};
  if (setxattr(copy.c_str(), "security.capability", capability, sizeof capability, 0) != 0)
    GTEST_SKIP() << "no rights to give file capabilities";
  EXPECT_THROW(count_events(skylake(), {{copy}}), Error);
}

TEST(Pmu, SaysWhyItCannotCountOrCounts) {
  const std::string why = pmu_unavailable();
  if (why.empty()) {
    EXPECT_NO_THROW(count_with_pmu({{"/bin/true"}}));
  } else {
    EXPECT_THROW(count_with_pmu({{"/bin/true"}}), Error);
    EXPECT_THROW(test_pmu({}), Error);
  }
}

}  // namespace
}  // namespace gable::points
