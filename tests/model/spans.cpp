// Latency by how much is used between two uses of a line, and sizes of caches that several share.

#include <gtest/gtest.h>

#include <cmath>

#include "model/json/points.hpp"
#include "model/points/needs/stalls/latency_at.hpp"
#include "model/profile/levels.hpp"
#include "model/roofs/ladder/usable_size.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

constexpr double KiB = 1024, MiB = 1024 * KiB;
constexpr Pages huge{2 << 20}, small{4096};

Roof step_of(Kind kind, double bytes, double value) {
  Roof step = joe0::bandwidth(0, "ladder", "ladder", 0, value);
  step.spec.kind = kind;
  step.spec.op = kind == Kind::latency ? operations::chase : operations::load;
  step.spec.bytes = static_cast<std::uint64_t>(bytes);
  step.spec.pages = huge;
  step.spec.threads = 1;
  return step;
}

void add_latency(Roofs& roofs, const char* level, const char* pattern, int node, Pages pages, double bytes,
                 double ns) {
  Roof roof = joe0::bandwidth(0, level, pattern, node, ns);
  roof.spec.kind = Kind::latency;
  roof.spec.op = operations::chase;
  roof.spec.bytes = static_cast<std::uint64_t>(bytes);
  roof.spec.pages = pages;
  roofs.roofs.push_back(roof);
}

// A ladder on huge pages; memory was measured with 1 GiB, where small pages add 210 ns.
Roofs with_latency_ladder() {
  Roofs roofs = joe0::roofs();
  for (const auto& [bytes, ns] : {std::pair{1 * MiB, 10.0}, {8 * MiB, 20.0}, {64 * MiB, 100.0}})
    roofs.ladder.push_back(step_of(Kind::latency, bytes, ns));
  add_latency(roofs, "L3", "cache", 0, huge, 8 * MiB, 20);
  add_latency(roofs, "L3", "cache", 0, small, 8 * MiB, 20);
  add_latency(roofs, "memory", "local", 0, huge, 1024 * MiB, 180);
  add_latency(roofs, "memory", "local", 0, small, 1024 * MiB, 390);
  add_latency(roofs, "memory", "remote", 1, huge, 1024 * MiB, 230);
  return roofs;
}

Point on_pages(double huge_percent, int node = 0) {
  Point point = program(0, 1e9, 0, 1, {});
  point.node_bytes = {{node, 1 << 30}};
  point.huge_pages_percent = huge_percent;
  return point;
}

double most_likely(const Point& point, const Level& level, double span) {
  const auto ns = latency_at(with_latency_ladder(), point, 0, level, span);
  EXPECT_TRUE(ns && ns->lo <= ns->value && ns->value <= ns->hi);
  return ns ? ns->value : 0;
}

TEST(Spans, OnTheLaddersPagesTheLatencyIsTheLadders) {
  const Point point = on_pages(100);
  EXPECT_NEAR(most_likely(point, Level::memory(), 64 * MiB), 100, 1e-9);
  EXPECT_NEAR(most_likely(point, Level("L3"), 8 * MiB), 20, 1e-9);
  EXPECT_NEAR(most_likely(point, Level::memory(), 256 * MiB), 140, 1e-9) << "half of the way to 1 GiB";
  EXPECT_NEAR(most_likely(point, Level::memory(), 4096 * MiB), 180, 1e-9);
  EXPECT_NEAR(most_likely(point, Level("L2"), 64 * KiB), 10, 1e-9);
}

TEST(Spans, OnSmallPagesItIsLessThanThatOfALargerSize) {
  const auto ns = latency_at(with_latency_ladder(), on_pages(0), 0, Level::memory(), 64 * MiB);
  ASSERT_TRUE(ns);
  EXPECT_NEAR(ns->lo, 100, 1e-9) << "small pages add nothing, as in L3";
  EXPECT_NEAR(ns->hi, 310, 1e-9) << "or as much as with 1 GiB";
  EXPECT_NEAR(ns->value, 100 + 210 * 3 / 7.0, 1e-9) << "of 8 MiB to 1 GiB, 64 MiB is three of seven octaves";
  EXPECT_NEAR(most_likely(on_pages(0), Level::memory(), 1024 * MiB), 390, 1e-9);
  EXPECT_NEAR(most_likely(on_pages(0), Level("L3"), 8 * MiB), 20, 1e-9);
}

TEST(Spans, AnotherNodeAddsWhatItsMemoryTakesLonger) {
  EXPECT_NEAR(most_likely(on_pages(100, 1), Level::memory(), 64 * MiB), 150, 1e-9);
  EXPECT_FALSE(latency_at(with_latency_ladder(), on_pages(100, 2), 0, Level::memory(), 64 * MiB));
}

TEST(Spans, WithoutALadderOrASpanTheLevelsOwnLatencyCounts) {
  Roofs roofs = with_latency_ladder();
  const Point point = on_pages(0);
  EXPECT_EQ(latency_of_spans(roofs, point, 0, Level::memory(), {})->value, 390);
  roofs.ladder.clear();
  const ServedSpans known = {64 * MiB, 64 * MiB, 64 * MiB, 0.5};
  EXPECT_EQ(latency_of_spans(roofs, point, 0, Level::memory(), known)->value, 390);
}

// Verdicts and predictions read the same needs.
TEST(Spans, AChainTakesTheLatencyOfWhatItUses) {
  constexpr double lines = 1e6;
  Point point = on_pages(100);
  LevelBytes memory = bytes("memory", 64 * lines, 0, 0, 64 * lines);
  memory.chained_spans = memory.chained * std::log2(64 * MiB);
  point.levels = {memory};
  const Need need = need_of(needs_of(with_latency_ladder(), point, 0, {}), Limit::Kind::chain);
  EXPECT_NEAR(need.share * point.threads, lines * 100e-9, 1e-9);
}

TEST(Spans, RandomLinesOfFewThreadsLieBetweenWhatFewerAndMoreReach) {
  Roofs roofs = joe0::roofs();
  add_random_loads(roofs, 200, 200);
  const int all = roofs.roofs.back().spec.threads;
  const auto with = [&](int threads, double rate) {
    add_random_loads(roofs, rate, rate);
    for (std::size_t i = roofs.roofs.size() - 2; i < roofs.roofs.size(); ++i)
      roofs.roofs[i].spec.threads = threads;
  };
  Point point = on_pages(0);
  point.threads = 2;
  const auto unknown = random_rate(roofs, point, 0, Level::memory());
  ASSERT_TRUE(unknown);
  EXPECT_NEAR(unknown->lo, 200.0 * 2 / all, 1e-9) << "their part";
  EXPECT_NEAR(unknown->hi, 200, 1e-9);
  with(1, 50);
  const auto rate = random_rate(roofs, point, 0, Level::memory());
  EXPECT_NEAR(rate->lo, 50 + 150.0 / (all - 1), 1e-9) << "on the straight line";
  EXPECT_NEAR(rate->hi, 100, 1e-9) << "twice that of one";
  with(2, 90);
  EXPECT_NEAR(random_rate(roofs, point, 0, Level::memory())->hi, 90, 1e-9) << "what two reached";
  for (Roof& roof : roofs.roofs) {
    if (roof.spec.kind == Kind::random && roof.spec.threads == 2) roof.lo = 1;
  }
  EXPECT_NEAR(random_rate(roofs, point, 0, Level::memory())->lo, 200.0 * 2 / all, 1e-9)
      << "their part of all";
}

TEST(Spans, RandomLinesOfASmallSetMayComeAsTheirLatencyIsLower) {
  Roofs roofs = with_latency_ladder();
  add_random_loads(roofs, 200, 200);
  for (Roof& roof : roofs.roofs) {
    if (roof.spec.kind == Kind::random) roof.spec.bytes = 1u << 30;
  }
  const auto rate = random_rate(roofs, on_pages(100), 0, Level::memory(), {}, 64 * MiB);
  EXPECT_NEAR(rate->lo, 200, 1e-9);
  EXPECT_NEAR(rate->hi, 200 * 180 / 100.0, 1e-9);
}

constexpr int bucket_of_16_MiB = 1 + 4 * 18;  // 2^18 lines

Profile with_uses(AccessOrder order, double lines) {
  Profile profile;
  profile.places = {{"f", "app", "", 0}};
  profile.objects = {{ObjectKind::heap, "a", "", {}}};
  ProfileUses uses;
  uses.own.read[static_cast<std::size_t>(order)] = {{bucket_of_16_MiB, lines}, {1, lines}};
  uses.all = uses.own;
  profile.uses = {uses};
  return profile;
}

std::vector<LevelBytes> levels_of(const Profile& profile, const std::vector<ProfileCache>& caches) {
  return levels_behind(profile_rows(profile, ProfileKey::program, caches).front(), caches);
}

TEST(Spans, AProfileTellsWhatIsUsedBetweenTwoUses) {
  const std::vector<ProfileCache> caches = {{"L1", 32 * KiB}, {"L2", 1 * MiB}};
  const LevelBytes chained = levels_of(with_uses(AccessOrder::chained, 1000), caches).back();
  EXPECT_EQ(chained.chained, 64000);
  EXPECT_NEAR(std::exp2(chained.chained_spans / chained.chained) / MiB, 16, 2) << "the middle of its bucket";
  EXPECT_EQ(chained.irregular_spans, 0);
  const LevelBytes irregular = levels_of(with_uses(AccessOrder::independent, 1000), caches).back();
  EXPECT_NEAR(irregular.irregular_spans, chained.chained_spans, 1e-6);
  EXPECT_EQ(levels_of(with_uses(AccessOrder::sequential, 1000), caches).back().irregular_spans, 0);
}

// Lines that stand for others may be more than there are accesses.
TEST(Spans, StayWhereFewerLinesCountThanWereFollowed) {
  const std::vector<ProfileCache> caches = {{"L1", 32 * KiB}, {"L2", 1 * MiB}};
  Profile profile = with_uses(AccessOrder::independent, 1e6);
  profile.uses.front().strided = 5e5;
  profile.uses.front().own.near = profile.uses.front().all.near = {{bucket_of_16_MiB, 1e7}};
  const LevelBytes before = levels_of(profile, caches).back();
  profile.accesses = {{0, 0, 1, 0, 8, 0}};
  const LevelBytes after = levels_of(profile, caches).back();
  EXPECT_EQ(after.irregular, 72) << "a line, and the part of one";
  EXPECT_NEAR(after.irregular_spans / after.irregular, before.irregular_spans / before.irregular, 1e-9);
  EXPECT_NEAR(after.strided / after.irregular, before.strided / before.irregular, 1e-9);
  EXPECT_NEAR(after.near / after.irregular, before.near / before.irregular, 1e-9);
}

// A file that no command reads would lose all points.
TEST(Spans, WhatIsNotFiniteIsNotWritten) {
  Point point = program(0, 1e9, 0, 1, {bytes("memory", 6.4e6, 0, 0, 0.1)});
  point.levels.back().chained_spans = 1e6;
  EXPECT_THROW(points_to_json({point}, {Reading()}), std::logic_error);
}

TEST(Spans, ACacheMayHoldMoreOfLinesInOrder) {
  const std::vector<ProfileCache> caches = {{"L1", 32 * KiB}, {"L2", 8 * MiB, false, 1, 0, 0, 32 * MiB}};
  EXPECT_EQ(levels_of(with_uses(AccessOrder::sequential, 1000), caches).back().read, 0);
  EXPECT_EQ(levels_of(with_uses(AccessOrder::chained, 1000), caches).back().read, 64000);
  EXPECT_EQ(levels_of(with_uses(AccessOrder::independent, 1000), caches).back().read, 64000);
}

TEST(Spans, AreReadAsTheyWereWritten) {
  Point point = program(0, 1e9, 0, 1, {bytes("memory", 6.4e6, 0, 0, 6.4e6)});
  point.levels.back().chained_spans = 6.4e6 * std::log2(48 * MiB);
  const std::string text = points_to_json({point}, {Reading()});
  EXPECT_NE(text.find("\"chained_span\":50331648"), std::string::npos) << text;
  const std::vector<Point> read = points_from_json(text, "points.json");
  EXPECT_NEAR(read.front().levels.back().chained_spans, point.levels.back().chained_spans, 1);
}

TEST(Spans, HalfOfTheLinesComeFromACacheWhereTimeIsHalfWay) {
  Roofs roofs;
  for (const auto& [bytes, ns, gb] :
       {std::tuple{4 * MiB, 20.0, 100.0}, {16 * MiB, 60.0, 100.0}, {64 * MiB, 100.0, 100 / 3.0}}) {
    roofs.ladder.push_back(step_of(Kind::latency, bytes, ns));
    roofs.ladder.push_back(step_of(Kind::bandwidth, bytes, gb));
  }
  CacheLevel level;
  level.level = Level("L3");
  level.measured_bytes = static_cast<std::uint64_t>(4 * MiB);
  const UsableSize size = usable_size(roofs, level);
  EXPECT_NEAR(size.chains, 16 * MiB, 1);
  EXPECT_NEAR(size.streams, 32 * MiB, 1) << "half of the way from 16 to 64 MiB";
  // In a guest whose host has small pages, loads wait for their translation the longer the more memory it
  // takes.
  for (const auto& [bytes, ns] : {std::pair{256 * MiB, 200.0}, {1024 * MiB, 400.0}})
    roofs.ladder.push_back(step_of(Kind::latency, bytes, ns));
  roofs.ladder.push_back(step_of(Kind::bandwidth, 1024 * MiB, 100 / 3.0));
  const UsableSize translated = usable_size(roofs, level);
  EXPECT_NEAR(translated.chains, 32 * MiB, 1);
  EXPECT_NEAR(translated.streams, 32 * MiB, 1);
  roofs.ladder.clear();
  EXPECT_EQ(usable_size(roofs, level).chains, 0);
}

}  // namespace
}  // namespace gable::model
