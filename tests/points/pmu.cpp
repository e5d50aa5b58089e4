// The machinery of the pmu counter on the kernel's software counters, which are there without hardware ones,
// and what it says where hardware ones are not.

#include "points/pmu.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <system_error>

#include "points/events.hpp"
#include "points/perf_events.hpp"
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
    const PerfEvents opened({page_faults()}, PerfEvents::Whom::this_thread);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

TEST(PerfEvents, CountThisThreadBetweenStartAndRead) {
  if (!allowed()) GTEST_SKIP() << "perf_event_open is not allowed here";
  PerfEvents counters({page_faults()}, PerfEvents::Whom::this_thread);
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

TEST(PerfEvents, CountProgramsAndWhatTheyStartFromTheirExecOn) {
  if (!allowed()) GTEST_SKIP() << "perf_event_open is not allowed here";
  const auto faults_of = [](const std::string& script) {
    const PerfEvents counters({page_faults()}, PerfEvents::Whom::started_programs);
    EXPECT_EQ(run({"/bin/sh", "-c", script}, {}).status, 0);
    return counters.read().at(0).count;
  };
  const double one = faults_of("/bin/true"),
               many = faults_of("for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done");
  EXPECT_GT(one, 10);
  EXPECT_GT(many, one + 9 * 20);  // every start of a program touches tens of pages
}

TEST(PerfEvents, AnEventThatIsNoneIsAnError) {
  perf_event_attr nonsense = {};
  nonsense.type = 0x7fffffff;
  EXPECT_THROW(PerfEvents({nonsense}, PerfEvents::Whom::this_thread), std::system_error);
}

TEST(Pmu, EveryEventItAsksForMeansSomething) {
  for (const char* vendor : {"GenuineIntel", "AuthenticAMD"}) {
    std::map<std::string, double> counts;
    for (const std::string& name : pmu_events(vendor)) counts[event_name(name)] = 1;
    const EventSums sums = sums_of(counts);
    EXPECT_FALSE(sums.flops.empty()) << vendor;
    EXPECT_TRUE(sums.unknown.empty()) << vendor << ": " << sums.unknown.front();
    EXPECT_TRUE(sums.missing.empty()) << vendor << ": " << sums.missing;
    EXPECT_TRUE(sums.loads && sums.stores) << vendor;
  }
  EXPECT_TRUE(pmu_events("Other").empty());
}

TEST(Pmu, SaysWhyItCannotCountOrCounts) {
  const std::string why = pmu_unavailable();
  if (why.empty()) {
    EXPECT_NO_THROW(count_with_pmu({{"/bin/true"}, {}, false}));
  } else {
    EXPECT_THROW(count_with_pmu({{"/bin/true"}, {}, false}), CountError);
    EXPECT_THROW(test_pmu({}), CountError);
  }
}

}  // namespace
}  // namespace gable::points
