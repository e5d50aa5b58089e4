// The requested events, compared with libpfm4's tables of other processors and with
// the codes in the vendors' manuals.

#include "points/counters/event_names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "points/counters/events.hpp"

namespace gable::points {
namespace {

struct Model {
  const char* pmu;  // libpfm4's name
  const char* vendor;
  std::size_t flop_events;
  const char* event;     // one of them
  std::uint64_t config;  // its unit mask and event number
  bool has_512;
};

// Intel: SDM volume 3B, chapter on performance-monitoring events, FP_ARITH_INST_RETIRED: event C7, unit masks
// 01 to 80; AMD: Processor Programming References, PMCx003, all unit masks of a family together.
constexpr Model models[] = {
    {"bdw", "GenuineIntel", 6, "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", 0x10c7, false},
    {"skx", "GenuineIntel", 8, "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", 0x40c7, true},
    {"clx", "GenuineIntel", 8, "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", 0x80c7, true},
    {"icx", "GenuineIntel", 8, "FP_ARITH_INST_RETIRED:SCALAR_SINGLE", 0x02c7, true},
    {"spr", "GenuineIntel", 8, "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", 0x01c7, true},
    {"amd64_fam17h_zen1", "AuthenticAMD", 8, "RETIRED_SSE_AVX_OPERATIONS:DP_MULT_ADD_FLOPS", 0x8003, true},
    {"amd64_fam17h_zen2", "AuthenticAMD", 1, "RETIRED_SSE_AVX_FLOPS:ANY", 0x0f03, true},
    {"amd64_fam19h_zen3", "AuthenticAMD", 1, "RETIRED_SSE_AVX_FLOPS:ANY", 0x0f03, true},
    {"amd64_fam19h_zen4", "AuthenticAMD", 1, "RETIRED_SSE_AVX_FLOPS:ANY", 0x1f03, true},
};

// Why the events found for the model are wrong; empty if they are right.
std::string wrong(const Model& model) {
  const KnownEvents known = known_events(model.vendor);
  std::map<std::string, double> counts;
  for (const std::string& name : known.none) counts[event_name(name)] = 0;
  for (const NamedEvent& event : known.events) counts[event_name(event.name)] = 1;
  const EventSums sums = sums_of(counts);
  const auto event = std::find_if(known.events.begin(), known.events.end(),
                                  [&](const NamedEvent& each) { return each.name == model.event; });
  if (!sums.missing.empty()) return "without " + sums.missing;
  if (!sums.unknown.empty()) return "means nothing: " + sums.unknown.front();
  if (sums.loads != 1 || sums.stores != 1) return "loads or stores are not there, or twice";
  if (known.events.size() != model.flop_events + 2) return "another number of events";
  if (known.none.empty() != model.has_512) return "vectors of 512 bits";
  if (event == known.events.end()) return "lacks " + std::string(model.event);
  return (event->attributes.config & 0xffff) == model.config ? "" : "another code";
}

// libpfm4 detects the processor once per process, so each model is tested in a separate process.
#define EXPECT_IN_MODEL(pmu, what)          \
  EXPECT_EXIT(                              \
      {                                     \
        setenv("LIBPFM_FORCE_PMU", pmu, 1); \
        const std::string said = what;      \
        std::fputs(said.c_str(), stderr);   \
        std::exit(said.empty() ? 0 : 1);    \
      },                                    \
      testing::ExitedWithCode(0), "")       \
      << pmu

class PmuEvents : public testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (const std::string why = events_unavailable(); !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_F(PmuEvents, AreThoseOfEachModel) {
  for (const Model& model : models) EXPECT_IN_MODEL(model.pmu, wrong(model));
}

// Haswell and Knights Landing count no retired flops.
std::string flops_of_intel() {
  std::map<std::string, double> counts;
  for (const NamedEvent& event : known_events("GenuineIntel").events) counts[event_name(event.name)] = 1;
  return sums_of(counts).flops.empty() ? "" : "has flops";
}

TEST_F(PmuEvents, ThatWouldCountNoFlopsAreNone) {
  for (const char* pmu : {"hsw", "knl"}) EXPECT_IN_MODEL(pmu, flops_of_intel());
}

TEST_F(PmuEvents, AllMeanSomething) {
  for (const char* vendor : {"GenuineIntel", "AuthenticAMD", "Arm"}) {
    std::map<std::string, double> counts;
    for (const std::string& name : pmu_events(vendor)) counts[event_name(name)] = 1;
    EXPECT_TRUE(sums_of(counts, 512).unknown.empty()) << vendor;
  }
  EXPECT_TRUE(pmu_events("Other").empty());
}

}  // namespace
}  // namespace gable::points
