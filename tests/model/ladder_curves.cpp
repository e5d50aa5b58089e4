// Cache levels from both curves, latency and bandwidth, of machines with known caches.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/model/ladders.hpp"

namespace gable::model {
namespace {

TEST(ConfirmLevels, BothCurvesConfirm) {
  for (const auto& machine : {zen, skylake, no_l3}) {
    const auto ladder =
        both(ladder_of(machine, Kind::latency, 2, 0.02), ladder_of(machine, Kind::bandwidth, 2, 0.02));
    for (const CacheLevel& level : confirm_levels(ladder, claims_of(machine)))
      EXPECT_TRUE(level.confirmed) << level.level.name() << ": " << sentence(level.remark);
  }
}

// A guest: latency of its L2 rises at a quarter of the claim and bandwidth at half of it; beyond, latency
// rises slowly from 62 to 193 ns, and bandwidth is flat up to 512 MiB.
TEST(ConfirmLevels, TellsWhatBothCurvesShowWhereTheyDisagree) {
  const std::vector<CacheClaim> claims = {{1, 48 * KiB}, {2, 2 * MiB}, {3, 260 * MiB}};
  const std::vector<TrueLevel> near = {{48 * KiB, 1.2}, {512 * KiB, 5}, {1ull << 40, 64}};
  auto latency = ladder_of(near, Kind::latency, 2, 0, 2048 * MiB);
  for (Roof& roof : latency) {
    const double octaves = std::log2(static_cast<double>(roof.spec.bytes) / (16.0 * MiB));
    if (octaves > 0) roof.value = 62 * std::exp2(std::min(octaves, 7.0) * std::log2(193.0 / 62) / 7);
  }
  const std::vector<TrueLevel> far = {{48 * KiB, 1}, {1024 * KiB, 2}, {512 * MiB, 5}, {1ull << 40, 20}};
  const auto levels =
      confirm_levels(both(latency, ladder_of(far, Kind::bandwidth, 2, 0, 2048 * MiB)), claims);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_TRUE(levels[0].confirmed) << sentence(levels[0].remark);
  for (const std::size_t doubtful : {1u, 2u}) EXPECT_FALSE(levels[doubtful].confirmed);
  EXPECT_EQ(levels[1].measured_bytes, 512 * KiB);
  EXPECT_EQ(sentence(levels[1].remark),
            "one core can use 512 KiB to 1 MiB of the claimed 2 MiB: latency rises beyond 512 KiB, bandwidth "
            "falls beyond 1 MiB");
  EXPECT_EQ(levels[2].measured_bytes, 0u);
  EXPECT_EQ(sentence(levels[2].remark),
            "unclear: latency has no edge near 260 MiB, bandwidth is flat up to 512 MiB; 260 MiB claimed");
  const auto slow = confirm_levels(latency, claims);  // by itself it is no plateau either
  EXPECT_NE(sentence(slow[2].remark).find("no plateau"), std::string::npos) << sentence(slow[2].remark);
}

// The ladder was measured in a guest of a Zen 4, whose neighbours left it 3 MiB of L3: memory's latency rises
// slowly up to the last step.
TEST(ConfirmLevels, MemoryThatGetsSlowlySlowerIsNoCache) {
  const std::vector<std::pair<std::uint64_t, double>> seen = {
      {4, 1.1},     {8, 1.15},    {16, 1.25},     {24, 1.6},     {32, 1.28},    {48, 2.7},
      {64, 3.9},    {128, 3.9},   {192, 3.9},     {256, 4.2},    {384, 4.8},    {512, 4.9},
      {768, 6.7},   {1024, 6.9},  {1536, 13.6},   {2048, 13.8},  {3072, 16.4},  {4096, 73.9},
      {6144, 116},  {8192, 122},  {12288, 132},   {16384, 139},  {24576, 144},  {32768, 149},
      {49152, 156}, {65536, 155}, {98304, 167.5}, {131072, 168}, {196608, 174}, {262144, 176.8}};
  std::vector<Roof> latency = ladder_of(zen, Kind::latency, 2, 0, 4096);
  for (const auto& [kib, ns] : seen) {
    latency.push_back(latency.front());
    latency.back().spec.bytes = kib * KiB;
    latency.back().value = latency.back().lo = latency.back().hi = ns;
  }
  const auto levels = confirm_levels({latency.begin() + 1, latency.end()}, claims_of(zen));
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_TRUE(levels[0].confirmed) << sentence(levels[0].remark);
  EXPECT_EQ(levels[1].measured_bytes, 256 * KiB) << sentence(levels[1].remark);
  EXPECT_EQ(levels[2].measured_bytes, 2 * MiB) << sentence(levels[2].remark);  // nearer to the claim of L2
}

TEST(ConfirmLevels, AnEdgeThatOneCurveLacksContradictsNothing) {
  const std::vector<TrueLevel> prefetched = {
      {32 * KiB, 1}, {32 * MiB, 3}, {1ull << 40, 12}};  // no edge at L2
  for (const auto& ladder :
       {both(ladder_of(zen, Kind::latency, 2, 0), ladder_of(prefetched, Kind::bandwidth, 2, 0)),
        both(ladder_of(prefetched, Kind::latency, 2, 0), ladder_of(zen, Kind::bandwidth, 2, 0))}) {
    for (const CacheLevel& level : confirm_levels(ladder, claims_of(zen)))
      EXPECT_TRUE(level.confirmed) << level.level.name() << ": " << sentence(level.remark);
  }
}

// Bandwidth shows an L3 where latency is already memory's.
TEST(ConfirmLevels, LatencyOfMemoryContradictsBandwidthOfACache) {
  const auto levels =
      confirm_levels(both(ladder_of(no_l3, Kind::latency, 2, 0.01), ladder_of(zen, Kind::bandwidth, 2, 0.01)),
                     claims_of(zen));
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_FALSE(levels[2].confirmed);
  EXPECT_EQ(levels[2].measured_bytes, 0u);
  EXPECT_TRUE(sentence(levels[2].remark).starts_with("unclear: latency is nearly that of memory from"))
      << sentence(levels[2].remark);
}

TEST(ConfirmLevels, BothCurvesOfASplitCacheAgree) {
  std::vector<CacheClaim> claims = claims_of(zen);
  claims[2].bytes = 256 * MiB;
  const auto ladder = both(ladder_of(zen, Kind::latency, 2, 0.01), ladder_of(zen, Kind::bandwidth, 2, 0.01));
  EXPECT_NE(sentence(confirm_levels(ladder, claims)[2].remark).find("split"), std::string::npos);
}

// Prefetches hide misses from the bandwidth until memory takes longer than the cache.
std::vector<Roof> prefetched_bandwidth(std::vector<TrueLevel> levels, double noise, unsigned seed) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> slower(1 / noise);
  std::vector<Roof> ladder = ladder_of(levels, Kind::bandwidth, 2, 0);
  const TrueLevel memory = {0, 3.2 * levels[2].ns};
  for (Roof& roof : ladder) {
    const auto bytes = static_cast<double>(roof.spec.bytes);
    const double missed = std::max(0.0, 1 - static_cast<double>(levels[2].bytes) / bytes);
    const double in_caches = time_of({levels[0], levels[1], {1ull << 40, levels[2].ns}}, bytes);
    roof.value = 64 / (std::max(in_caches, missed * memory.ns) * (1 + slower(random)));
    roof.lo = 0.99 * roof.value;
    roof.hi = 1.01 * roof.value;
  }
  return ladder;
}

// What neighbours leave of an L3 lies between the sizes that both curves show.
TEST(ConfirmLevels, WhatIsLeftOfACacheIsInTheRange) {
  int ranges = 0, seed = 0;
  for (const std::uint64_t left : {4u, 6u, 9u, 12u, 14u, 18u, 20u, 24u, 28u, 32u}) {
    for (const double noise : {0.005, 0.02}) {
      std::vector<TrueLevel> machine = zen;
      machine[2].bytes = left * MiB;
      const auto level =
          confirm_levels(both(ladder_of(machine, Kind::latency, 2, noise),
                              prefetched_bandwidth(machine, noise, static_cast<unsigned>(++seed))),
                         claims_of(zen))[2];
      if (level.confirmed) {
        EXPECT_GE(left, 14u);
        continue;
      }
      constexpr double step = 1.42;
      EXPECT_LE(static_cast<double>(level.measured_bytes), 1.05 * static_cast<double>(left * MiB))
          << sentence(level.remark);
      EXPECT_GE(step * static_cast<double>(level.measured_bytes), static_cast<double>(left * MiB) / 1.05)
          << sentence(level.remark);
      EXPECT_TRUE(sentence(level.remark).starts_with("one core can use ") ||
                  sentence(level.remark).starts_with("slower beyond "))
          << sentence(level.remark);
      if (sentence(level.remark).starts_with("one core can use ")) ++ranges;
    }
  }
  EXPECT_GT(ranges, 4);
}

// The bandwidth of a whole L3, up to twice its size, is no sign of a larger one.
TEST(ConfirmLevels, BandwidthBeyondTheEdgeOfLatencyContradictsNothing) {
  std::vector<Roof> bandwidth = prefetched_bandwidth(zen, 0.005, 3);
  EXPECT_NE(sentence(confirm_levels(bandwidth, claims_of(zen))[2].remark).find("larger than the claimed"),
            std::string::npos);
  const auto levels =
      confirm_levels(both(ladder_of(zen, Kind::latency, 2, 0.005), bandwidth), claims_of(zen));
  EXPECT_TRUE(levels[2].confirmed) << sentence(levels[2].remark);
}

// With pages of 4 KiB, the TLB reaches 4 MiB. Walks beyond take longer the more page tables there are.
std::vector<Roof> with_small_pages(std::vector<Roof> ladder) {
  constexpr double reach = 4 * MiB, walk_ns = 15;
  for (Roof& roof : ladder) {
    roof.spec.pages = *pages_named("4k");
    const double octaves = std::max(0.0, std::log2(static_cast<double>(roof.spec.bytes) / reach));
    if (roof.spec.kind == Kind::latency) roof.value = roof.lo = roof.hi = roof.value + octaves * walk_ns;
  }
  return ladder;
}

TEST(ConfirmLevels, TheReachOfTheTlbIsNotTheEndOfACache) {
  const auto latency = with_small_pages(ladder_of(zen, Kind::latency, 2, 0.01));
  const auto alone = confirm_levels(latency, claims_of(zen));
  EXPECT_FALSE(alone[2].confirmed);
  EXPECT_EQ(sentence(alone[2].remark).find("cannot use"), std::string::npos) << sentence(alone[2].remark);
  EXPECT_NE(sentence(alone[2].remark).find("the TLB's reach with pages of 4 KiB"), std::string::npos)
      << sentence(alone[2].remark);
  const auto levels = confirm_levels(
      both(latency, with_small_pages(ladder_of(zen, Kind::bandwidth, 2, 0.01))), claims_of(zen));
  for (const CacheLevel& level : levels)
    EXPECT_TRUE(level.confirmed) << level.level.name() << ": " << sentence(level.remark);
}

}  // namespace
}  // namespace gable::model
