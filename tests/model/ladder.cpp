// Cache levels from ladders of machines with known caches.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/roofs/roofs.hpp"

namespace gable::model {
namespace {

constexpr std::uint64_t KiB = 1 << 10, MiB = 1 << 20;

struct Level {
  std::uint64_t bytes;
  double ns;
};

// Caches with random replacement: each holds its share of the working set. The last level is memory.
double time_of(const std::vector<Level>& levels, double bytes) {
  double time = 0, inner = 0;
  for (const Level& level : levels) {
    const double held = std::min(1.0, static_cast<double>(level.bytes) / bytes);
    time += std::max(0.0, held - inner) * level.ns;
    inner = std::max(inner, held);
  }
  return time;
}

std::vector<Roof> ladder_of(const std::vector<Level>& levels, const std::string& kind, int steps_per_octave,
                            double noise, std::uint64_t end = 512 * MiB) {
  std::mt19937_64 random(21);
  std::exponential_distribution<double> slower(1 / std::max(noise, 1e-9));
  std::vector<Roof> ladder;
  for (int step = 0;; ++step) {
    const double bytes = 4096 * std::exp2(static_cast<double>(step) / steps_per_octave);
    if (bytes > static_cast<double>(end)) return ladder;
    Roof roof;
    roof.asked.kind = kind;
    roof.asked.op = kind == "latency" ? "chase" : "load";
    roof.asked.pattern = "ladder";
    roof.asked.pages = "2m";
    roof.asked.threads = 1;
    roof.asked.bytes = static_cast<std::uint64_t>(bytes);
    const double time = time_of(levels, bytes) * (1 + slower(random));
    roof.value = roof.lo = roof.hi = kind == "latency" ? time : 64 / time;
    ladder.push_back(roof);
  }
}

const std::vector<Level> zen = {{32 * KiB, 1.1}, {1 * MiB, 3.8}, {32 * MiB, 13}, {1ull << 40, 110}};
const std::vector<Level> skylake = {{32 * KiB, 1.3}, {1 * MiB, 4.7}, {22 * MiB, 20}, {1ull << 40, 85}};
const std::vector<Level> no_l3 = {{32 * KiB, 2}, {512 * KiB, 9}, {1ull << 40, 150}};

std::vector<CacheClaim> claims_of(const std::vector<Level>& levels) {
  std::vector<CacheClaim> claims;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i)
    claims.push_back({static_cast<int>(i) + 1, levels[i].bytes});
  return claims;
}

TEST(ConfirmLevels, ConfirmsWhatIsThere) {
  for (const auto& machine : {zen, skylake, no_l3}) {
    for (const char* kind : {"latency", "bandwidth"}) {
      for (const int steps : {1, 2, 4, 8}) {
        const auto levels = confirm_levels(ladder_of(machine, kind, steps, 0.02), claims_of(machine));
        ASSERT_EQ(levels.size(), machine.size() - 1);
        for (const CacheLevel& level : levels) {
          EXPECT_TRUE(level.confirmed)
              << kind << " " << steps << " " << level.level << ": " << level.measured_bytes << " of "
              << level.claimed_bytes << ", " << level.remark;
          EXPECT_TRUE(level.remark.empty());
        }
      }
    }
  }
}

TEST(ConfirmLevels, NoticesACacheThatIsSplit) {
  std::vector<CacheClaim> claims = claims_of(zen);
  claims[2].bytes = 256 * MiB;  // the sum over the dies
  const auto levels = confirm_levels(ladder_of(zen, "latency", 2, 0.01), claims);
  EXPECT_TRUE(levels[1].confirmed);
  EXPECT_FALSE(levels[2].confirmed);
  EXPECT_NE(levels[2].remark.find("split"), std::string::npos) << levels[2].remark;
}

// What is left of the L3 is as large as the claim of the L2, and the L2 is a quarter of its claim.
TEST(ConfirmLevels, MatchesCachesThatAreSplitInTheirOrder) {
  const std::vector<Level> left = {{32 * KiB, 1.1}, {256 * KiB, 3.8}, {2 * MiB, 15}, {1ull << 40, 130}};
  for (const char* kind : {"latency", "bandwidth"}) {
    const auto levels = confirm_levels(ladder_of(left, kind, 2, 0.01), claims_of(zen));
    ASSERT_EQ(levels.size(), 3u);
    EXPECT_TRUE(levels[0].confirmed);
    EXPECT_LE(levels[1].measured_bytes, 256 * KiB) << kind << ": " << levels[1].remark;
    EXPECT_LE(levels[2].measured_bytes, 2 * MiB) << kind << ": " << levels[2].remark;
    for (const std::size_t split : {1u, 2u})
      EXPECT_NE(levels[split].remark.find("split"), std::string::npos)
          << kind << ": " << levels[split].remark;
  }
}

TEST(ConfirmLevels, NoticesACacheThatIsLargerThanClaimed) {
  std::vector<CacheClaim> claims = claims_of(zen);
  claims[2].bytes = 16 * MiB;
  const auto levels = confirm_levels(ladder_of(zen, "latency", 2, 0.01), claims);
  EXPECT_FALSE(levels[2].confirmed);
  EXPECT_GT(levels[2].measured_bytes, 16 * MiB);
  EXPECT_NE(levels[2].remark.find("larger"), std::string::npos) << levels[2].remark;
}

TEST(ConfirmLevels, NoticesACacheThatIsNotThere) {
  std::vector<CacheClaim> claims = claims_of(no_l3);
  claims.push_back({3, 16 * MiB});
  const auto levels = confirm_levels(ladder_of(no_l3, "latency", 2, 0.01), claims);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_TRUE(levels[0].confirmed);
  EXPECT_TRUE(levels[1].confirmed);
  EXPECT_EQ(levels[2].measured_bytes, 0u);
  EXPECT_NE(levels[2].remark.find("no plateau"), std::string::npos) << levels[2].remark;
}

// Behind an L2 an L3 of the same size is not seen.
TEST(ConfirmLevels, OneEdgeConfirmsTheFirstOfTwoEqualClaims) {
  std::vector<CacheClaim> claims = claims_of(no_l3);
  claims.push_back({3, claims.back().bytes});
  const auto levels = confirm_levels(ladder_of(no_l3, "latency", 2, 0.01), claims);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_TRUE(levels[1].confirmed) << levels[1].remark;
  EXPECT_FALSE(levels[2].confirmed);
}

TEST(ConfirmLevels, SaysWhenTheLadderIsTooShort) {
  const auto levels = confirm_levels(ladder_of(zen, "latency", 2, 0.01, 16 * MiB), claims_of(zen));
  EXPECT_FALSE(levels[2].confirmed);
  EXPECT_NE(levels[2].remark.find("the ladder ends at"), std::string::npos) << levels[2].remark;
}

TEST(ConfirmLevels, SaysWhenTheOnlyCurveIsTooShort) {
  for (const char* kind : {"latency", "bandwidth"}) {
    const auto levels = confirm_levels(ladder_of(zen, kind, 2, 0.01, 64 * KiB), claims_of(zen));
    ASSERT_EQ(levels.size(), 3u);
    EXPECT_NE(levels[2].remark.find("the ladder ends at 64 KiB"), std::string::npos)
        << kind << ": " << levels[2].remark;
  }
}

TEST(ConfirmLevels, DoesNotJudgeAcrossAGap) {
  std::vector<Roof> ladder = ladder_of(zen, "latency", 2, 0.01);
  std::erase_if(ladder,
                [](const Roof& roof) { return roof.asked.bytes > 300 * KiB && roof.asked.bytes < 4 * MiB; });
  const auto levels = confirm_levels(ladder, claims_of(zen));
  EXPECT_TRUE(levels[0].confirmed);
  EXPECT_FALSE(levels[1].confirmed);
  EXPECT_NE(levels[1].remark.find("too few steps"), std::string::npos) << levels[1].remark;
  EXPECT_TRUE(levels[2].confirmed);
}

TEST(ConfirmLevels, NamesWhatItSeesWhereNothingIsClaimed) {
  const auto levels = confirm_levels(ladder_of(zen, "latency", 2, 0.01), {});
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[2].level, "L3");
  EXPECT_FALSE(levels[2].confirmed);
}

std::vector<Roof> both(std::vector<Roof> latency, const std::vector<Roof>& bandwidth) {
  latency.insert(latency.end(), bandwidth.begin(), bandwidth.end());
  return latency;
}

TEST(ConfirmLevels, BothCurvesConfirm) {
  for (const auto& machine : {zen, skylake, no_l3}) {
    const auto ladder =
        both(ladder_of(machine, "latency", 2, 0.02), ladder_of(machine, "bandwidth", 2, 0.02));
    for (const CacheLevel& level : confirm_levels(ladder, claims_of(machine)))
      EXPECT_TRUE(level.confirmed) << level.level << ": " << level.remark;
  }
}

// A guest: latency of its L2 rises at a quarter of the claim and bandwidth at half of it; beyond, latency
// rises slowly from 62 to 193 ns, and bandwidth is flat up to 512 MiB.
TEST(ConfirmLevels, TellsWhatBothCurvesShowWhereTheyDisagree) {
  const std::vector<CacheClaim> claims = {{1, 48 * KiB}, {2, 2 * MiB}, {3, 260 * MiB}};
  const std::vector<Level> near = {{48 * KiB, 1.2}, {512 * KiB, 5}, {1ull << 40, 64}};
  auto latency = ladder_of(near, "latency", 2, 0, 2048 * MiB);
  for (Roof& roof : latency) {
    const double octaves = std::log2(static_cast<double>(roof.asked.bytes) / (16.0 * MiB));
    if (octaves > 0) roof.value = 62 * std::exp2(std::min(octaves, 7.0) * std::log2(193.0 / 62) / 7);
  }
  const std::vector<Level> far = {{48 * KiB, 1}, {1024 * KiB, 2}, {512 * MiB, 5}, {1ull << 40, 20}};
  const auto levels = confirm_levels(both(latency, ladder_of(far, "bandwidth", 2, 0, 2048 * MiB)), claims);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_TRUE(levels[0].confirmed) << levels[0].remark;
  for (const std::size_t doubtful : {1u, 2u}) EXPECT_FALSE(levels[doubtful].confirmed);
  EXPECT_EQ(levels[1].measured_bytes, 512 * KiB);
  EXPECT_EQ(levels[1].remark,
            "one core can use 512 KiB to 1 MiB of the claimed 2 MiB: latency rises beyond 512 KiB, bandwidth "
            "falls beyond 1 MiB");
  EXPECT_EQ(levels[2].measured_bytes, 0u);
  EXPECT_EQ(levels[2].remark,
            "unclear: latency has no edge near 260 MiB, bandwidth is flat up to 512 MiB; 260 MiB claimed");
  const auto slow = confirm_levels(latency, claims);  // by itself it is no plateau either
  EXPECT_NE(slow[2].remark.find("no plateau"), std::string::npos) << slow[2].remark;
}

// Measured in a guest of a Zen 4, whose neighbours left it 3 MiB of L3: memory's latency rises slowly up to
// the last step.
TEST(ConfirmLevels, MemoryThatGetsSlowlySlowerIsNoCache) {
  const std::vector<std::pair<std::uint64_t, double>> seen = {
      {4, 1.1},     {8, 1.15},    {16, 1.25},     {24, 1.6},     {32, 1.28},    {48, 2.7},
      {64, 3.9},    {128, 3.9},   {192, 3.9},     {256, 4.2},    {384, 4.8},    {512, 4.9},
      {768, 6.7},   {1024, 6.9},  {1536, 13.6},   {2048, 13.8},  {3072, 16.4},  {4096, 73.9},
      {6144, 116},  {8192, 122},  {12288, 132},   {16384, 139},  {24576, 144},  {32768, 149},
      {49152, 156}, {65536, 155}, {98304, 167.5}, {131072, 168}, {196608, 174}, {262144, 176.8}};
  std::vector<Roof> latency = ladder_of(zen, "latency", 2, 0, 4096);
  for (const auto& [kib, ns] : seen) {
    latency.push_back(latency.front());
    latency.back().asked.bytes = kib * KiB;
    latency.back().value = latency.back().lo = latency.back().hi = ns;
  }
  const auto levels = confirm_levels({latency.begin() + 1, latency.end()}, claims_of(zen));
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_TRUE(levels[0].confirmed) << levels[0].remark;
  EXPECT_EQ(levels[1].measured_bytes, 256 * KiB) << levels[1].remark;
  EXPECT_EQ(levels[2].measured_bytes, 2 * MiB) << levels[2].remark;  // nearer to the claim of L2
}

TEST(ConfirmLevels, AnEdgeThatOneCurveLacksContradictsNothing) {
  const std::vector<Level> prefetched = {{32 * KiB, 1}, {32 * MiB, 3}, {1ull << 40, 12}};  // no edge at L2
  for (const auto& ladder :
       {both(ladder_of(zen, "latency", 2, 0), ladder_of(prefetched, "bandwidth", 2, 0)),
        both(ladder_of(prefetched, "latency", 2, 0), ladder_of(zen, "bandwidth", 2, 0))}) {
    for (const CacheLevel& level : confirm_levels(ladder, claims_of(zen)))
      EXPECT_TRUE(level.confirmed) << level.level << ": " << level.remark;
  }
}

// Bandwidth shows an L3 where latency is already memory's.
TEST(ConfirmLevels, LatencyOfMemoryContradictsBandwidthOfACache) {
  const auto levels = confirm_levels(
      both(ladder_of(no_l3, "latency", 2, 0.01), ladder_of(zen, "bandwidth", 2, 0.01)), claims_of(zen));
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_FALSE(levels[2].confirmed);
  EXPECT_EQ(levels[2].measured_bytes, 0u);
  EXPECT_TRUE(levels[2].remark.starts_with("unclear: latency is nearly that of memory from"))
      << levels[2].remark;
}

// P and E cores: each cluster has caches of its own.
TEST(ConfirmLevels, ClaimsAreThoseOfTheCluster) {
  std::vector<Roof> ladder = ladder_of(zen, "latency", 2, 0.01);
  for (Roof roof : ladder_of(no_l3, "latency", 2, 0.01)) {
    roof.asked.cluster = 1;
    ladder.push_back(roof);
  }
  std::vector<CacheClaim> claims;
  for (const auto& [machine, cluster] : {std::pair{zen, 0}, {no_l3, 1}}) {
    for (CacheClaim claim : claims_of(machine)) {
      claim.cluster = cluster;
      claims.push_back(claim);
    }
  }
  const auto levels = confirm_levels(ladder, claims);
  ASSERT_EQ(levels.size(), 5u);
  for (const CacheLevel& level : levels) EXPECT_TRUE(level.confirmed) << level.cluster << " " << level.remark;
  EXPECT_EQ(levels[1].claimed_bytes, 1 * MiB);
  EXPECT_EQ(levels[4].claimed_bytes, 512 * KiB);
}

TEST(ConfirmLevels, BothCurvesOfASplitCacheAgree) {
  std::vector<CacheClaim> claims = claims_of(zen);
  claims[2].bytes = 256 * MiB;
  const auto ladder = both(ladder_of(zen, "latency", 2, 0.01), ladder_of(zen, "bandwidth", 2, 0.01));
  EXPECT_NE(confirm_levels(ladder, claims)[2].remark.find("split"), std::string::npos);
}

// Prefetches hide misses from the bandwidth until memory takes longer than the cache.
std::vector<Roof> prefetched_bandwidth(std::vector<Level> levels, double noise, unsigned seed) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> slower(1 / noise);
  std::vector<Roof> ladder = ladder_of(levels, "bandwidth", 2, 0);
  const Level memory = {0, 3.2 * levels[2].ns};
  for (Roof& roof : ladder) {
    const auto bytes = static_cast<double>(roof.asked.bytes);
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
      std::vector<Level> machine = zen;
      machine[2].bytes = left * MiB;
      const auto level =
          confirm_levels(both(ladder_of(machine, "latency", 2, noise),
                              prefetched_bandwidth(machine, noise, static_cast<unsigned>(++seed))),
                         claims_of(zen))[2];
      if (level.confirmed) {
        EXPECT_GE(left, 14u);
        continue;
      }
      constexpr double step = 1.42;
      EXPECT_LE(static_cast<double>(level.measured_bytes), 1.05 * static_cast<double>(left * MiB))
          << level.remark;
      EXPECT_GE(step * static_cast<double>(level.measured_bytes), static_cast<double>(left * MiB) / 1.05)
          << level.remark;
      EXPECT_TRUE(level.remark.starts_with("one core can use ") || level.remark.starts_with("slower beyond "))
          << level.remark;
      if (level.remark.starts_with("one core can use ")) ++ranges;
    }
  }
  EXPECT_GT(ranges, 4);
}

// The bandwidth of a whole L3, up to twice its size, is no sign of a larger one.
TEST(ConfirmLevels, BandwidthBeyondTheEdgeOfLatencyContradictsNothing) {
  std::vector<Roof> bandwidth = prefetched_bandwidth(zen, 0.005, 3);
  EXPECT_NE(confirm_levels(bandwidth, claims_of(zen))[2].remark.find("larger than the claimed"),
            std::string::npos);
  const auto levels = confirm_levels(both(ladder_of(zen, "latency", 2, 0.005), bandwidth), claims_of(zen));
  EXPECT_TRUE(levels[2].confirmed) << levels[2].remark;
}

// With pages of 4 KiB, the TLB reaches 4 MiB. Walks beyond take longer the more page tables there are.
std::vector<Roof> with_small_pages(std::vector<Roof> ladder) {
  constexpr double reach = 4 * MiB, walk_ns = 15;
  for (Roof& roof : ladder) {
    roof.asked.pages = "4k";
    const double octaves = std::max(0.0, std::log2(static_cast<double>(roof.asked.bytes) / reach));
    if (roof.asked.kind == "latency") roof.value = roof.lo = roof.hi = roof.value + octaves * walk_ns;
  }
  return ladder;
}

TEST(ConfirmLevels, TheReachOfTheTlbIsNotTheEndOfACache) {
  const auto latency = with_small_pages(ladder_of(zen, "latency", 2, 0.01));
  const auto alone = confirm_levels(latency, claims_of(zen));
  EXPECT_FALSE(alone[2].confirmed);
  EXPECT_EQ(alone[2].remark.find("cannot use"), std::string::npos) << alone[2].remark;
  EXPECT_NE(alone[2].remark.find("the TLB's reach with pages of 4 KiB"), std::string::npos)
      << alone[2].remark;
  const auto levels =
      confirm_levels(both(latency, with_small_pages(ladder_of(zen, "bandwidth", 2, 0.01))), claims_of(zen));
  for (const CacheLevel& level : levels) EXPECT_TRUE(level.confirmed) << level.level << ": " << level.remark;
}

// Intervals from half to double the value on the steps from `from` to `to`.
std::vector<Roof> uncertain(std::vector<Roof> ladder, std::uint64_t from, std::uint64_t to) {
  for (Roof& roof : ladder) {
    if (roof.asked.bytes < from || roof.asked.bytes > to) continue;
    roof.lo = roof.value / 2;
    roof.hi = roof.value * 2;
  }
  return ladder;
}

// Neighbours leave 4 MiB of 32 MiB.
TEST(ConfirmLevels, ACacheIsSmallerOnlyBeyondTheIntervals) {
  const std::vector<Level> left = {{32 * KiB, 1.1}, {1 * MiB, 3.8}, {4 * MiB, 13}, {1ull << 40, 110}};
  for (const char* kind : {"latency", "bandwidth"}) {
    const auto ladder = ladder_of(left, kind, 2, 0.01);
    const auto sure = confirm_levels(ladder, claims_of(zen));
    EXPECT_TRUE(sure[2].remark.starts_with("slower beyond 4 MiB: ")) << sure[2].remark;
    const auto nearly = confirm_levels(uncertain(ladder, 4 * MiB, 6 * MiB), claims_of(zen));
    EXPECT_TRUE(nearly[2].remark.starts_with("slower beyond 4 MiB (clearly beyond 5.657 MiB)"))
        << nearly[2].remark;
    EXPECT_EQ(nearly[2].measured_bytes, 4 * MiB);
  }
  std::vector<Roof> vague = uncertain(ladder_of(left, "latency", 2, 0.01), 4 * MiB, 64 * MiB);
  for (Roof& roof : vague) {
    if (roof.asked.bytes > 4 * MiB) roof.lo = 13;
  }
  const auto unclear = confirm_levels(vague, claims_of(zen));
  EXPECT_TRUE(unclear[2].remark.starts_with("unclear: slower beyond 4 MiB, but up to")) << unclear[2].remark;
  EXPECT_EQ(unclear[2].measured_bytes, 0u);
  EXPECT_FALSE(unclear[2].confirmed);
}

TEST(ConfirmLevels, IsSilentWithoutALadder) {
  EXPECT_TRUE(confirm_levels({}, claims_of(zen)).empty());
  std::vector<Roof> skipped = ladder_of(zen, "latency", 2, 0.01);
  for (Roof& roof : skipped) roof.status = Status::skipped;
  EXPECT_TRUE(confirm_levels(skipped, claims_of(zen)).empty());
}

TEST(ConfirmLevels, LooksAtEveryCluster) {
  std::vector<Roof> ladder = ladder_of(zen, "latency", 2, 0.01);
  for (Roof roof : ladder_of(no_l3, "latency", 2, 0.01)) {
    roof.asked.cluster = 1;
    ladder.push_back(roof);
  }
  std::reverse(ladder.begin(), ladder.end());
  const auto levels = confirm_levels(ladder, claims_of(zen));
  ASSERT_EQ(levels.size(), 6u);
  EXPECT_TRUE(levels[2].confirmed);
  EXPECT_EQ(levels[5].cluster, 1);
  EXPECT_FALSE(levels[5].confirmed);
}

}  // namespace
}  // namespace gable::model
