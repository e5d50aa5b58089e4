// Idle latencies of machines that sleep while they are idle, and the remarks of roofs.

#include <gtest/gtest.h>

#include "model/roofs/per_cycle.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {
namespace {

// Latency at each share of the load; the first is the idle one, with a half-width of 1 ns.
std::vector<Roof> curve(const std::vector<double>& ns, double half = 1) {
  std::vector<Roof> roofs;
  for (std::size_t i = 0; i <= ns.size(); ++i) {
    Roof roof;
    roof.spec.kind = i == 0 ? Kind::latency : Kind::loaded_latency;
    roof.spec.level = Level::memory();
    roof.spec.pattern = Pattern::local;
    roof.spec.node = 0;
    roof.spec.pages = *pages_named("2m");
    roof.spec.threads = i == 0 ? 1 : 16;
    if (i > 0) roof.spec.load_percent = static_cast<int>(100 * (i - 1) / (ns.size() - 1));
    roof.load_gb_per_s = i == 0 ? 0 : 10.0 * static_cast<double>(i - 1);
    roof.value = ns[i == 0 ? 0 : i - 1];
    roof.lo = roof.value - half;
    roof.hi = roof.value + half;
    roof.unit = "ns";
    roofs.push_back(roof);
  }
  return roofs;
}

TEST(IdleLatencies, LatencyThatFallsWithLoadIsExplained) {
  std::vector<Roof> roofs = curve({120, 100, 90, 110, 180});
  correct_idle_latencies(roofs);
  EXPECT_EQ(roofs[0].value, 90);
  EXPECT_EQ(roofs[0].lo, 89);
  EXPECT_EQ(roofs[0].idle_value, 120);  // kept, so that folders can be compared by it
  EXPECT_EQ(roofs[0].idle_lo, 119);
  EXPECT_EQ(roofs[0].idle_hi, 121);
  EXPECT_NE(joined_sentences(roofs[0].remarks).find("120.0 ns when the machine was idle"), std::string::npos)
      << joined_sentences(roofs[0].remarks);
  EXPECT_NE(joined_sentences(roofs[0].remarks).find("at 20.0 GB/s"), std::string::npos)
      << joined_sentences(roofs[0].remarks);
  for (const std::size_t falls : {1u, 2u})
    EXPECT_TRUE(joined_sentences(roofs[falls].remarks).starts_with("falls to 90.0 ns"));
  EXPECT_EQ(roofs[1].value, 120);  // the curve is as it was measured
  for (const std::size_t rises : {3u, 4u, 5u}) EXPECT_TRUE(roofs[rises].remarks.empty()) << rises;
}

TEST(IdleLatencies, AnOrdinaryCurveIsLeftAlone) {
  for (const auto& ns : {std::vector<double>{100, 101, 104, 130, 300}, {100, 99.5, 104, 130, 300}}) {
    std::vector<Roof> roofs = curve(ns);
    const std::vector<Roof> before = roofs;
    correct_idle_latencies(roofs);
    EXPECT_EQ(roofs, before);
  }
  std::vector<Roof> noisy = curve({120, 100, 90, 110, 180}, 40);  // within the intervals
  const std::vector<Roof> before = noisy;
  correct_idle_latencies(noisy);
  EXPECT_EQ(noisy, before);
  std::vector<Roof> other = curve({120, 100, 90});
  other[0].spec.node = 1;  // no loaded latency of that memory
  correct_idle_latencies(other);
  EXPECT_EQ(other[0].value, 120);
}

TEST(Remarks, ThoseOnMemorySideCachesReachTheRoofAndItsFile) {
  Sample sample;
  sample.spec = curve({100, 110})[0].spec;
  sample.seconds = {1e-6, 1e-6};
  sample.work = {10, 10};
  sample.clock_ghz = 2.5;
  const Note remark = {NoteCode::side_cache_exceeded, {0.0, 16384.0}};
  sample.notes = {Note("4 KiB pages"), remark};
  Sample again = sample;
  again.round = 1;
  Roofs roofs;
  roofs.roofs = fit_roofs({sample, again});
  ASSERT_EQ(roofs.roofs.size(), 1u);
  EXPECT_EQ(roofs.roofs[0].remarks, Notes{remark});
  EXPECT_EQ(roofs.roofs[0].clock_ghz, 2.5);
  EXPECT_EQ(roofs_from_json(roofs_to_json(roofs), "roofs.json"), roofs);
}

// Table 3 of the LARM paper: 16 cores at 1.3 GHz with 1.7 FMAs and 1.66 loads a cycle.
TEST(PerCycle, IsTheThroughputOfEquationsOneAndTwo) {
  Roof fma;
  fma.spec.kind = Kind::flops;
  fma.spec.op = operations::fma;
  fma.spec.precision = Precision::dp;
  fma.spec.kernel = "fma_dp_avx512";
  fma.spec.threads = 16;
  fma.value = 1.7 * 16 * 16 * 1.3;
  EXPECT_FALSE(instructions_per_cycle(fma));  // without a clock
  fma.clock_ghz = 1.3;
  EXPECT_NEAR(instructions_per_cycle(fma).value(), 1.7, 1e-9);
  Roof load = fma;
  load.spec.kind = Kind::bandwidth;
  load.spec.level = Level::cache(1);
  load.spec.op = operations::load;
  load.spec.kernel = "load_avx512";
  load.value = 1.66 * 64 * 16 * 1.3;
  EXPECT_NEAR(instructions_per_cycle(load).value(), 1.66, 1e-9);
  load.spec.level = Level::cache(2);
  EXPECT_FALSE(instructions_per_cycle(load));
  fma.spec.smt = true;
  EXPECT_FALSE(instructions_per_cycle(fma));
}

}  // namespace
}  // namespace gable::model
