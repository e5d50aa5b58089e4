// Lines that another core has changed: how many a profile has, and the time that they take.

#include "model/c2c/classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/predict/forecast.hpp"
#include "model/predict/parameters.hpp"
#include "tests/model/forecast_machines.hpp"

namespace gable::model {
namespace {

using namespace invented;

constexpr double handed_over = 1e7;

// Threads that read what another one has written; `all_bytes` of other lines were used meanwhile.
Profile sharing(double shared_lines, double all_bytes) {
  Profile made = profile({{1024, 1e6}, {200e3, 1e8}});
  ProfileUses& uses = made.uses.front();
  uses.own.read[0] = {{written_by_other, shared_lines}};
  uses.all.read[0] = {{bucket_of(all_bytes), shared_lines}};
  made.functions.front().load_bytes = shared_lines * 64 + 1;
  return made;
}

double bytes_from_cores(const Profile& of, std::vector<ProfileCache> caches) {
  double sum = 0;
  for (const ProfileRow& row : profile_rows(of, ProfileKey::function, caches)) {
    for (const LevelBytes& level : levels_behind(row, caches)) sum += level.from_cores;
  }
  return sum;
}

Roofs with_latency(double ns, const Roofs& of = roofs()) {
  Roofs made = of;
  made.line_in_cluster = Estimate{ns, 0.9 * ns, 1.1 * ns, 5};
  return made;
}

const NeedTime* need_of(const Forecast& found) {
  for (const PartNeeds& part : found.parts) {
    for (const NeedTime& need : part.needs) {
      if (need.group == NeedTime::Group::cores) return &need;
    }
  }
  return nullptr;
}

double seconds_of(const Profile& of, const Roofs& on) {
  return forecast(invented::program(of), setting(on), nullptr).seconds;
}

TEST(ChangedLines, AreThoseThatAnotherThreadHasWritten) {
  const Roofs on = roofs();
  const std::vector<ProfileCache> caches = setting(on).caches;
  EXPECT_NEAR(bytes_from_cores(sharing(handed_over, 64e3), caches), 64 * handed_over, 1);
  EXPECT_EQ(bytes_from_cores(sharing(0, 64e3), caches), 0);
  EXPECT_EQ(bytes_from_cores(profile({{200e3, 1e8}}), caches), 0) << "lines of the thread itself";
}

// What no cache of a core holds any longer comes from the shared cache or the memory.
TEST(ChangedLines, ThatWereWrittenBackComeFromElsewhere) {
  const Roofs on = roofs();
  const std::vector<ProfileCache> caches = setting(on).caches;
  EXPECT_EQ(bytes_from_cores(sharing(handed_over, 64e6), caches), 0);
  EXPECT_NEAR(bytes_from_cores(sharing(handed_over, 0.9 * cores * middle_cache), caches), 64 * handed_over,
              0.01 * 64 * handed_over)
      << "the own caches of all threads hold them";
}

TEST(ChangedLines, TakeBetweenHalfOfTheLatencyAndAllOfIt) {
  const Roofs on = with_latency(50);
  const Forecast found = forecast(invented::program(sharing(handed_over, 64e3)), setting(on), nullptr);
  const NeedTime* const need = need_of(found);
  ASSERT_NE(need, nullptr);
  const double all = handed_over * 50e-9 / cores, least = PredictParameters().least_of_changed_line;
  const auto at = [&](RoofEnd end) { return need->seconds[static_cast<std::size_t>(end)]; };
  EXPECT_NEAR(at(RoofEnd::alone), all, 1e-9);
  EXPECT_NEAR(at(RoofEnd::overlapped), least * all, 1e-9);
  EXPECT_NEAR(at(RoofEnd::value), std::sqrt(least) * all, 1e-9);
  EXPECT_NEAR(at(RoofEnd::slow) / at(RoofEnd::value), 1.1, 1e-9) << "the interval of the latency";
}

TEST(ChangedLines, MoreOfThemNeverTakeLessTime) {
  const Roofs on = with_latency(50);
  for (const double all_bytes : {4e3, 64e3, 2e6, 64e6, 1e9}) {
    double before = 0;
    for (double shared = 1; shared < 1e10; shared *= 3) {
      const double now = seconds_of(sharing(shared, all_bytes), on);
      EXPECT_GE(now, before) << shared << " lines, " << all_bytes << " bytes";
      before = now;
    }
  }
  const Profile of = sharing(handed_over, 64e3);
  EXPECT_GT(seconds_of(of, with_latency(100)), seconds_of(of, with_latency(50)));
}

TEST(ChangedLines, OfOneThreadThereAreNone) {
  const Roofs on = with_latency(50);
  Setting one = setting(on);
  one.like.threads = 1;
  EXPECT_EQ(need_of(forecast(invented::program(sharing(handed_over, 64e3)), one, nullptr)), nullptr);
}

TEST(ChangedLines, WithoutAFigureTheTimeIsUncertainAndTheFigureNamed) {
  const Roofs without = roofs();
  const Forecast found = forecast(invented::program(sharing(handed_over, 64e3)), setting(without), nullptr);
  ASSERT_EQ(found.status, Status::ok);
  EXPECT_EQ(found.missing, std::vector<std::string>{"the hand-offs between its cores"});
  EXPECT_GT(found.missing_percent, 20);
  for (const double ns : {4.0, 100.0}) {  // those of L2 and of memory
    const double known = seconds_of(sharing(handed_over, 64e3), with_latency(ns));
    EXPECT_LT(found.lo, known);
    EXPECT_GT(found.hi, known);
  }
  EXPECT_TRUE(forecast(invented::program(sharing(0, 64e3)), setting(without), nullptr).missing.empty())
      << "what it does not need may be missing";
}

C2cClassFigure class_figure(Relation relation, C2cMeasure measure, double ns, Home home = Home::both) {
  C2cClassFigure made;
  made.between.relation = relation;
  made.measure = measure;
  made.home = home;
  made.estimate = {ns, 0.9 * ns, 1.1 * ns, 3};
  return made;
}

TEST(ChangedLines, LatenciesComeFromTheClassesOfPairs) {
  Roofs on;
  add_changed_lines({class_figure(Relation::core, C2cMeasure::handoff, 5),
                     class_figure(Relation::l3, C2cMeasure::modified, 7),
                     class_figure(Relation::l3, C2cMeasure::handoff, 20),
                     class_figure(Relation::node, C2cMeasure::handoff, 80),
                     class_figure(Relation::machine, C2cMeasure::handoff, 200),
                     class_figure(Relation::machine, C2cMeasure::handoff, 900, Home::other)},
                    on);
  ASSERT_TRUE(on.line_in_cluster && on.line_between_clusters);
  EXPECT_DOUBLE_EQ(on.line_in_cluster->value, 50);
  EXPECT_DOUBLE_EQ(on.line_in_cluster->lo, 18);
  EXPECT_DOUBLE_EQ(on.line_in_cluster->hi, 88);
  EXPECT_DOUBLE_EQ(on.line_between_clusters->value, 200);
  EXPECT_DOUBLE_EQ(changed_line(on, 0, 2)->value, 50);
  EXPECT_DOUBLE_EQ(changed_line(on, -1, 2)->value, 125) << "half of the other threads are elsewhere";
  Roofs none;
  add_changed_lines({class_figure(Relation::l3, C2cMeasure::shared, 20)}, none);
  EXPECT_FALSE(changed_line(none, 0, 1));
}

}  // namespace
}  // namespace gable::model
