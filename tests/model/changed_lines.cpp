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
Profile sharing(double shared_lines, double all_bytes, AccessOrder order = AccessOrder::chained) {
  Profile made = profile({{1024, 1e6}, {200e3, 1e8}});
  ProfileUses& uses = made.uses.front();
  const auto at = static_cast<std::size_t>(order);
  uses.own.read[at] = {{written_by_other, shared_lines}};
  uses.all.read[at] = {{bucket_of(all_bytes), shared_lines}};
  made.functions.front().load_bytes = shared_lines * 64 + 1;
  made.accesses.front().loads += shared_lines;
  return made;
}

double bytes_from_cores(const Profile& of, const std::vector<ProfileCache>& caches) {
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

// Threads that meet 1000 times, profiled with one thread or with several.
TEST(ChangedLines, BarriersTakeHandOffs) {
  const Roofs on = with_latency(100);
  const auto more = [&](int threads, int there) {
    const auto seconds = [&](double barriers) {
      Profile of = sharing(0, 64e3);
      of.threads = threads;
      of.barriers = barriers;
      Setting at = setting(on);
      at.like.threads = there;
      return forecast(invented::program(of), at, nullptr).seconds;
    };
    return seconds(1000) - seconds(0);
  };
  const double of_two = 1000 * PredictParameters().handoffs_of_meeting * 100e-9;
  EXPECT_NEAR(more(2, 2), of_two, 1e-9);
  EXPECT_NEAR(more(4, 2), of_two, 1e-9);
  EXPECT_NEAR(more(1, 2), of_two, 1e-9);
  EXPECT_NEAR(more(2, 4), std::sqrt(2) * of_two, 1e-9);
  EXPECT_EQ(more(2, 1), 0) << "nobody to wait for";
}

// Where few lines are followed, they may stand for more than there are accesses.
TEST(ChangedLines, AreNoMoreThanAllThatAreFetched) {
  const Roofs on = roofs();
  Profile few = sharing(handed_over, 64e3);
  few.accesses.front().loads = few.accesses.front().load_bytes = handed_over / 2;
  for (const ProfileRow& row : profile_rows(few, ProfileKey::function, setting(on).caches)) {
    for (const LevelBytes& level : levels_behind(row, setting(on).caches))
      EXPECT_LE(level.from_cores, level.read) << level.level.name();
  }
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

TEST(ChangedLines, OfAChainTakeBetweenHalfOfTheLatencyAndAllOfIt) {
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

// 200 million random lines a second at 100 ns each are 5 lines under way in each of the 4 cores.
TEST(ChangedLines, InOrderAreUnderWayTogether) {
  const Roofs on = with_latency(50);
  const Profile of = sharing(handed_over, 64e3, AccessOrder::sequential);
  const Forecast found = forecast(invented::program(of), setting(on), nullptr);
  const NeedTime* const need = need_of(found);
  ASSERT_NE(need, nullptr);
  for (const RoofEnd end : {RoofEnd::value, RoofEnd::alone, RoofEnd::overlapped})
    EXPECT_NEAR(need->seconds[static_cast<std::size_t>(end)], handed_over * 50e-9 / cores / 5, 1e-9);
}

TEST(ChangedLines, WithoutAnOrderAreUnderWayTogetherIfFewInstructionsAreBetweenThem) {
  const Roofs on = with_latency(50);
  const auto seconds = [&](double instructions) {
    Profile of = sharing(handed_over, 64e3, AccessOrder::independent);
    of.functions.front().instructions.executed = instructions * handed_over;
    const Forecast found = forecast(invented::program(of), setting(on), nullptr);
    const NeedTime* const need = need_of(found);
    return need == nullptr ? 0 : need->seconds[static_cast<std::size_t>(RoofEnd::value)];
  };
  EXPECT_NEAR(seconds(2), handed_over * 50e-9 / cores / 5, 1e-9);
  EXPECT_NEAR(seconds(1e4), handed_over * 50e-9 / cores, 0.05 * handed_over * 50e-9 / cores);
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

// How long threads contend for lines is not known, so the range extends to all of it.
TEST(ChangedLines, ContestedOnesExtendTheRange) {
  Profile of = sharing(handed_over, 64e3);
  of.accesses.front().loads = 2e8;
  const Roofs on = with_latency(50);
  const Forecast without = forecast(invented::program(of), setting(on), nullptr);
  of.uses.front().contested = 1e8;
  const Forecast with = forecast(invented::program(of), setting(on), nullptr);
  EXPECT_EQ(with.seconds, without.seconds);
  EXPECT_EQ(with.lo, without.lo);
  EXPECT_GT(with.hi, 1e8 * 50e-9);
}

TEST(ChangedLines, OfOneThreadThereAreNone) {
  const Roofs on = with_latency(50);
  Setting one = setting(on);
  one.like.threads = 1;
  EXPECT_EQ(need_of(forecast(invented::program(sharing(handed_over, 64e3)), one, nullptr)), nullptr);
}

// The times with hand-offs of these two latencies are the ends of the range.
void expect_between(const Roofs& without, const Setting& at, double least, double most) {
  const Profile of = sharing(handed_over, 64e3);
  const Forecast found = forecast(invented::program(of), at, nullptr);
  ASSERT_EQ(found.status, Status::ok);
  EXPECT_TRUE(has(found.missing, NoteCode::missing_handoffs));
  EXPECT_GT(found.missing_percent, 20);
  const auto seconds_with = [&](double ns) {
    Roofs known = without;
    known.line_in_cluster = known.line_between_clusters = Estimate{ns, ns, ns, 5};
    Setting known_at = at;
    known_at.roofs = &known;
    return forecast(invented::program(of), known_at, nullptr).seconds;
  };
  const double percent = 100 * (std::sqrt(seconds_with(most) / seconds_with(least)) - 1);
  EXPECT_NEAR(found.missing_percent, percent, 0.01 * percent);
  EXPECT_LT(found.lo, seconds_with(least));
  EXPECT_GT(found.hi, seconds_with(most));
}

// What one thread loads from L1, as a part of what a core does if all four are busy.
Roofs with_ladder(double part) {
  Roofs made = roofs();
  for (const double bytes : {4096.0, 8192.0, 16384.0}) {
    Roof step = roof(Kind::bandwidth, "ladder", Pattern::ladder, operations::load, part * 800 / cores);
    step.spec.threads = 1;
    step.spec.bytes = static_cast<std::uint64_t>(bytes);
    step.clock_ghz = 3;
    made.ladder.push_back(step);
  }
  made.levels = {{0,
                  Level::cache(1),
                  static_cast<std::uint64_t>(small_cache),
                  static_cast<std::uint64_t>(small_cache),
                  true,
                  {}}};
  return made;
}

TEST(ChangedLines, WithoutAFigureTheTimeIsUncertainAndTheFigureNamed) {
  const Roofs without = roofs();
  expect_between(without, setting(without), 4, 48);  // a load from L2, three from L3
  const Roofs cores_alone = with_ladder(1.05), threads = with_ladder(1.9);
  expect_between(cores_alone, setting(cores_alone), 16, 48);
  expect_between(threads, setting(threads), 4, 48);  // hardware threads of the same cores
  Setting parts = setting(without);
  parts.caches.back().cores_sharing = cores / 2;
  expect_between(without, parts, 4, 100);  // from the memory, if they share no cache
  Roofs guest = with_ladder(1.05);         // whose topology the ladder contradicts
  guest.levels.push_back({0, Level::cache(3), static_cast<std::uint64_t>(large_cache), 1 << 20, false, {}});
  expect_between(guest, setting(guest), 16, 100);
  Setting all = setting(without);
  all.like.cluster = -1;
  expect_between(without, all, 4, 48);  // of one cluster alone
  EXPECT_TRUE(forecast(invented::program(sharing(0, 64e3)), setting(without), nullptr).missing.empty())
      << "what it does not need may be missing";
}

TEST(ChangedLines, WithoutAnyLatencyThereAreBoundsToo) {
  Roofs without = roofs();
  std::erase_if(without.roofs, [](const Roof& each) { return each.spec.kind == Kind::latency; });
  expect_between(without, setting(without), PredictParameters().least_handoff_ns,
                 PredictParameters().most_handoff_ns);
}

// A hand-off between clusters takes at most two loads from the memory.
TEST(ChangedLines, BetweenClustersTheyTakeLonger) {
  Roofs without = roofs();
  for (const Roof& each : roofs().roofs) {
    without.roofs.push_back(each);
    without.roofs.back().spec.cluster = 1;
    if (is_memory(each.spec.level)) without.roofs.back().spec.node = 1;
  }
  without.machine_cores = {{0, cores}, {1, cores}};
  without.machine_nodes = {{0, {0}}, {1, {1}}};
  Setting all = setting(without);
  all.like.cluster = -1;
  all.like.alone = false;
  all.like.threads = 2 * cores;
  all.like.node_bytes = {{0, 1 << 30}, {1, 1 << 30}};
  const Forecast found = forecast(invented::program(sharing(handed_over, 64e3)), all, nullptr);
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  Roofs slow = without;
  slow.line_in_cluster = Estimate{48, 48, 48, 5};
  slow.line_between_clusters = Estimate{200, 200, 200, 5};
  Setting known = all;
  known.roofs = &slow;
  EXPECT_GT(found.hi, forecast(invented::program(sharing(handed_over, 64e3)), known, nullptr).seconds);
}

// A profile of one thread has none, so a prediction for more threads may be too short.
TEST(ChangedLines, AProfileOfOneThreadWidensTheInterval) {
  const Roofs on = roofs();
  const Profile of = profile({{200e3, 1e8}});
  Program program = invented::program(of);
  const Forecast same = forecast(program, setting(on), nullptr);
  program.threads = 1;
  const Forecast more = forecast(program, setting(on), nullptr);
  program.threads = 2 * cores;
  const Forecast fewer = forecast(program, setting(on), nullptr);
  const auto up = [](const Forecast& found) {
    return std::ranges::find(found.doubts, "the model", &Forecast::Doubt::what)->up;
  };
  EXPECT_NEAR(up(more), std::hypot(up(same), PredictParameters().spread_of_threads), 1e-9);
  EXPECT_EQ(up(fewer), up(same));
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
