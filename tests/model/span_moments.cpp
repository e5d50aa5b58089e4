// What a level serves has spans that spread, and each line has the latency of its own.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "model/json/points.hpp"
#include "model/points/needs/stalls/latency_at.hpp"
#include "model/profile/levels.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

constexpr double unit = 1024 * 1024;

// Each octave of size has the latency before it, and as much more as its number: 1, 1, 2, 4, 7, 11 ...
double rising_ns(int octave) {
  return 1 + 0.5 * octave * (octave - 1);
}

Roofs with_rising_ladder() {
  Roofs roofs = joe0::roofs();
  for (int octave = 0; octave <= 10; ++octave) {
    Roof step = joe0::bandwidth(0, "ladder", "ladder", 0, rising_ns(octave));
    step.spec.kind = Kind::latency;
    step.spec.op = operations::chase;
    step.spec.bytes = static_cast<std::uint64_t>(std::exp2(octave) * unit);
    step.spec.pages = Pages(2 << 20);
    step.spec.threads = 1;
    roofs.ladder.push_back(step);
  }
  return roofs;
}

Point on_huge_pages() {
  Point point = program(0, 1e9, 0, 1, {});
  point.node_bytes = {{0, 1 << 30}};
  point.huge_pages_percent = 100;
  return point;
}

// So many lines with spans of each octave of a MiB.
SpanSums sums_over(const std::vector<double>& lines) {
  SpanSums sums;
  for (std::size_t octave = 0; octave < lines.size(); ++octave)
    sums.add(lines[octave], 20 + static_cast<double>(octave));
  return sums;
}

double exact_mean(const std::vector<double>& lines) {
  double all = 0, ns = 0;
  for (std::size_t octave = 0; octave < lines.size(); ++octave) {
    all += lines[octave];
    ns += lines[octave] * rising_ns(static_cast<int>(octave));
  }
  return ns / all;
}

double mean_latency(const ServedSpans& spans) {
  return latency_of_spans(with_rising_ladder(), on_huge_pages(), 0, Level("L3"), spans)->value;
}

// The mean latency is that of the lines one by one. That of the mean span would be half of it or less.
TEST(SpanMoments, LongSpansTakeMostOfTheTime) {
  for (const std::vector<double>& lines : {std::vector<double>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                           {9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                                           {8, 4, 2, 1, 0.5, 0.25, 0.125, 0.1, 0.1, 0.1, 0.1}}) {
    const ServedSpans spans = served_spans(sums_over(lines), {});
    EXPECT_NEAR(mean_latency(spans) / exact_mean(lines), 1, 0.1);
    EXPECT_LT(mean_latency({spans.mean, spans.mean, spans.mean, 0}), 0.75 * exact_mean(lines));
  }
}

TEST(SpanMoments, ALevelServesWhatTheNextOneDoesNot) {
  const SpanSums near = sums_over({3, 2, 1}), far = sums_over({0, 0, 0, 0, 0, 0, 1, 2, 5});
  SpanSums all = near;
  all += far;
  const ServedSpans served = served_spans(all, far), alone = served_spans(near, {});
  EXPECT_NEAR(served.mean, alone.mean, 1e-6 * alone.mean);
  EXPECT_NEAR(mean_latency(served), mean_latency(alone), 1e-6);
}

TEST(SpanMoments, AreThoseOfTwoPoints) {
  const ServedSpans spans = served_spans(sums_over({1, 0, 0, 3}), {});
  EXPECT_NEAR(spans.smaller, unit, 1);
  EXPECT_NEAR(spans.larger, 8 * unit, 8);
  EXPECT_NEAR(spans.part_of_larger, 0.75, 1e-6);
}

TEST(SpanMoments, WithoutASpreadTheMeanSpanCounts) {
  SpanSums sums = sums_over({1, 0, 1});
  sums.squares = sums.cubes = 0;
  const ServedSpans spans = served_spans(sums, {});
  EXPECT_EQ(spans.smaller, spans.mean);
  EXPECT_EQ(spans.larger, spans.mean);
  EXPECT_NEAR(spans.mean, 2 * unit, 1e-6);
}

TEST(SpanMoments, AProfileTellsThemAndFilesKeepThem) {
  Profile profile;
  profile.places = {{"f", "app", "", 0}};
  profile.objects = {{ObjectKind::heap, "a", "", {}}};
  ProfileUses uses;
  // 2^16 and 2^20 lines.
  uses.own.read[static_cast<std::size_t>(AccessOrder::chained)] = {{1 + 4 * 16, 1000}, {1 + 4 * 20, 3000}};
  uses.all = uses.own;
  profile.uses = {uses};
  const std::vector<ProfileCache> caches = {{"L1", 32 * 1024}, {"L2", 1 << 20}};
  Point point = program(0, 1e9, 0, 1, {});
  point.levels = levels_behind(profile_rows(profile, ProfileKey::program, caches).front(), caches);
  const auto read = points_from_json(points_to_json({point}, {Reading()}), "points.json");
  for (const LevelBytes& level : {point.levels.back(), read.front().levels.back()}) {
    const SpanMoments moments =
        moments_of({level.chained, level.chained_spans, level.chained_squares, level.chained_cubes});
    EXPECT_NEAR(moments.deviation, 4 * std::sqrt(3) / 4, 1e-3);
    EXPECT_NEAR(moments.skewness, (1 - 2 * 0.75) / std::sqrt(0.75 * 0.25), 1e-3);
    EXPECT_EQ(level.irregular_squares, 0);
  }
  std::string text = points_to_json({point}, {Reading()});
  const std::size_t at = text.find("\"chained_spread\":[1");
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, std::string("\"chained_spread\":[1").size(), "\"chained_spread\":[-1");
  EXPECT_THROW(points_from_json(text, "points.json"), Error);
}

}  // namespace
}  // namespace gable::model
