// Cache levels from one curve of machines with known caches.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model/ladders.hpp"

namespace gable::model {
namespace {

TEST(ConfirmLevels, ConfirmsWhatIsThere) {
  for (const auto& machine : {zen, skylake, no_l3}) {
    for (const Kind kind : {Kind::latency, Kind::bandwidth}) {
      for (const int steps : {1, 2, 4, 8}) {
        const auto levels = confirm_levels(ladder_of(machine, kind, steps, 0.02), claims_of(machine));
        ASSERT_EQ(levels.size(), machine.size() - 1);
        for (const CacheLevel& level : levels) {
          EXPECT_TRUE(level.confirmed)
              << name_of(kind) << " " << steps << " " << level.level.name() << ": " << level.measured_bytes
              << " of " << level.claimed_bytes << ", " << sentence(level.remark);
          EXPECT_TRUE(level.remark.empty());
        }
      }
    }
  }
}

TEST(ConfirmLevels, NoticesACacheThatIsSplit) {
  std::vector<CacheClaim> claims = claims_of(zen);
  claims[2].bytes = 256 * MiB;  // the sum over the dies
  const auto levels = confirm_levels(ladder_of(zen, Kind::latency, 2, 0.01), claims);
  EXPECT_TRUE(levels[1].confirmed);
  EXPECT_FALSE(levels[2].confirmed);
  EXPECT_NE(sentence(levels[2].remark).find("split"), std::string::npos) << sentence(levels[2].remark);
}

// What is left of the L3 is as large as the claim of the L2, and the L2 is a quarter of its claim.
TEST(ConfirmLevels, MatchesCachesThatAreSplitInTheirOrder) {
  const std::vector<TrueLevel> left = {{32 * KiB, 1.1}, {256 * KiB, 3.8}, {2 * MiB, 15}, {1ull << 40, 130}};
  for (const Kind kind : {Kind::latency, Kind::bandwidth}) {
    const auto levels = confirm_levels(ladder_of(left, kind, 2, 0.01), claims_of(zen));
    ASSERT_EQ(levels.size(), 3u);
    EXPECT_TRUE(levels[0].confirmed);
    EXPECT_LE(levels[1].measured_bytes, 256 * KiB) << name_of(kind) << ": " << sentence(levels[1].remark);
    EXPECT_LE(levels[2].measured_bytes, 2 * MiB) << name_of(kind) << ": " << sentence(levels[2].remark);
    for (const std::size_t split : {1u, 2u})
      EXPECT_NE(sentence(levels[split].remark).find("split"), std::string::npos)
          << name_of(kind) << ": " << sentence(levels[split].remark);
  }
}

TEST(ConfirmLevels, NoticesACacheThatIsLargerThanClaimed) {
  std::vector<CacheClaim> claims = claims_of(zen);
  claims[2].bytes = 16 * MiB;
  const auto levels = confirm_levels(ladder_of(zen, Kind::latency, 2, 0.01), claims);
  EXPECT_FALSE(levels[2].confirmed);
  EXPECT_GT(levels[2].measured_bytes, 16 * MiB);
  EXPECT_NE(sentence(levels[2].remark).find("larger"), std::string::npos) << sentence(levels[2].remark);
}

TEST(ConfirmLevels, NoticesACacheThatIsNotThere) {
  std::vector<CacheClaim> claims = claims_of(no_l3);
  claims.push_back({3, 16 * MiB});
  const auto levels = confirm_levels(ladder_of(no_l3, Kind::latency, 2, 0.01), claims);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_TRUE(levels[0].confirmed);
  EXPECT_TRUE(levels[1].confirmed);
  EXPECT_EQ(levels[2].measured_bytes, 0u);
  EXPECT_NE(sentence(levels[2].remark).find("no plateau"), std::string::npos) << sentence(levels[2].remark);
}

// Behind an L2 an L3 of the same size is not seen.
TEST(ConfirmLevels, OneEdgeConfirmsTheFirstOfTwoEqualClaims) {
  std::vector<CacheClaim> claims = claims_of(no_l3);
  claims.push_back({3, claims.back().bytes});
  const auto levels = confirm_levels(ladder_of(no_l3, Kind::latency, 2, 0.01), claims);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_TRUE(levels[1].confirmed) << sentence(levels[1].remark);
  EXPECT_FALSE(levels[2].confirmed);
}

TEST(ConfirmLevels, SaysWhenTheLadderIsTooShort) {
  const auto levels = confirm_levels(ladder_of(zen, Kind::latency, 2, 0.01, 16 * MiB), claims_of(zen));
  EXPECT_FALSE(levels[2].confirmed);
  EXPECT_NE(sentence(levels[2].remark).find("the ladder ends at"), std::string::npos)
      << sentence(levels[2].remark);
}

TEST(ConfirmLevels, SaysWhenTheOnlyCurveIsTooShort) {
  for (const Kind kind : {Kind::latency, Kind::bandwidth}) {
    const auto levels = confirm_levels(ladder_of(zen, kind, 2, 0.01, 64 * KiB), claims_of(zen));
    ASSERT_EQ(levels.size(), 3u);
    EXPECT_NE(sentence(levels[2].remark).find("the ladder ends at 64 KiB"), std::string::npos)
        << name_of(kind) << ": " << sentence(levels[2].remark);
  }
}

TEST(ConfirmLevels, DoesNotJudgeAcrossAGap) {
  std::vector<Roof> ladder = ladder_of(zen, Kind::latency, 2, 0.01);
  std::erase_if(ladder,
                [](const Roof& roof) { return roof.spec.bytes > 300 * KiB && roof.spec.bytes < 4 * MiB; });
  const auto levels = confirm_levels(ladder, claims_of(zen));
  EXPECT_TRUE(levels[0].confirmed);
  EXPECT_FALSE(levels[1].confirmed);
  EXPECT_NE(sentence(levels[1].remark).find("too few steps"), std::string::npos)
      << sentence(levels[1].remark);
  EXPECT_TRUE(levels[2].confirmed);
}

TEST(ConfirmLevels, NamesWhatItSeesWhereNothingIsClaimed) {
  const auto levels = confirm_levels(ladder_of(zen, Kind::latency, 2, 0.01), {});
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[2].level.name(), "L3");
  EXPECT_FALSE(levels[2].confirmed);
}

// P and E cores: each cluster has caches of its own.
TEST(ConfirmLevels, ClaimsAreThoseOfTheCluster) {
  std::vector<Roof> ladder = ladder_of(zen, Kind::latency, 2, 0.01);
  for (Roof roof : ladder_of(no_l3, Kind::latency, 2, 0.01)) {
    roof.spec.cluster = 1;
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
  for (const CacheLevel& level : levels)
    EXPECT_TRUE(level.confirmed) << level.cluster << " " << sentence(level.remark);
  EXPECT_EQ(levels[1].claimed_bytes, 1 * MiB);
  EXPECT_EQ(levels[4].claimed_bytes, 512 * KiB);
}

// Intervals from half to double the value on the steps from `from` to `to`.
std::vector<Roof> uncertain(std::vector<Roof> ladder, std::uint64_t from, std::uint64_t to) {
  for (Roof& roof : ladder) {
    if (roof.spec.bytes < from || roof.spec.bytes > to) continue;
    roof.lo = roof.value / 2;
    roof.hi = roof.value * 2;
  }
  return ladder;
}

// Neighbours leave 4 MiB of 32 MiB.
TEST(ConfirmLevels, ACacheIsSmallerOnlyBeyondTheIntervals) {
  const std::vector<TrueLevel> left = {{32 * KiB, 1.1}, {1 * MiB, 3.8}, {4 * MiB, 13}, {1ull << 40, 110}};
  for (const Kind kind : {Kind::latency, Kind::bandwidth}) {
    const auto ladder = ladder_of(left, kind, 2, 0.01);
    const auto sure = confirm_levels(ladder, claims_of(zen));
    EXPECT_TRUE(sentence(sure[2].remark).starts_with("slower beyond 4 MiB: ")) << sentence(sure[2].remark);
    const auto nearly = confirm_levels(uncertain(ladder, 4 * MiB, 6 * MiB), claims_of(zen));
    EXPECT_TRUE(sentence(nearly[2].remark).starts_with("slower beyond 4 MiB (clearly beyond 5.657 MiB)"))
        << sentence(nearly[2].remark);
    EXPECT_EQ(nearly[2].measured_bytes, 4 * MiB);
  }
  std::vector<Roof> vague = uncertain(ladder_of(left, Kind::latency, 2, 0.01), 4 * MiB, 64 * MiB);
  for (Roof& roof : vague) {
    if (roof.spec.bytes > 4 * MiB) roof.lo = 13;
  }
  const auto unclear = confirm_levels(vague, claims_of(zen));
  EXPECT_TRUE(sentence(unclear[2].remark).starts_with("unclear: slower beyond 4 MiB, but up to"))
      << sentence(unclear[2].remark);
  EXPECT_EQ(unclear[2].measured_bytes, 0u);
  EXPECT_FALSE(unclear[2].confirmed);
}

TEST(ConfirmLevels, IsSilentWithoutALadder) {
  EXPECT_TRUE(confirm_levels({}, claims_of(zen)).empty());
  std::vector<Roof> skipped = ladder_of(zen, Kind::latency, 2, 0.01);
  for (Roof& roof : skipped) roof.status = Status::skipped;
  EXPECT_TRUE(confirm_levels(skipped, claims_of(zen)).empty());
}

TEST(ConfirmLevels, LooksAtEveryCluster) {
  std::vector<Roof> ladder = ladder_of(zen, Kind::latency, 2, 0.01);
  for (Roof roof : ladder_of(no_l3, Kind::latency, 2, 0.01)) {
    roof.spec.cluster = 1;
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
