// Traffic behind caches with sets, against a cache that is simulated line by line, and profiles of depths in
// files.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "model/json/programs/profile.hpp"
#include "model/profile/levels.hpp"
#include "model/profile/traffic.hpp"
#include "model/profile/write_backs.hpp"
#include "model/records/add_profile.hpp"

namespace gable::model {
namespace {

struct LineAccess {
  int line;
  bool is_write;
};

int depth_bucket(int depth) {
  return depth < exact_depths ? depth : static_cast<int>(std::floor(4 * std::log2(depth) + 1e-9));
}

struct StackLine {
  int line;
  int dirty_from;  // < 0: clean
};

// The depths of a trace among so many sets, by definition.
UseCounts depths_of(const std::vector<LineAccess>& trace, int sets) {
  std::map<int, std::vector<StackLine>> stacks;  // the line used last is the last one
  UseCounts uses;
  for (const LineAccess& access : trace) {
    std::vector<StackLine>& stack = stacks[access.line % sets];
    auto& to = (access.is_write ? uses.written : uses.read)[0];
    const auto found = std::ranges::find(stack, access.line, &StackLine::line);
    StackLine now{access.line, -1};
    if (found == stack.end()) {
      ++to[never_deep];
    } else {
      const int depth = static_cast<int>(stack.end() - found) - 1;
      if (depth > 0) ++to[depth_bucket(depth)];
      now = *found;
      if (now.dirty_from >= 0 && depth > now.dirty_from) {
        ++uses.written_back[depth_bucket(now.dirty_from)];
        --uses.written_back[depth_bucket(depth)];
        now.dirty_from = depth;
      }
      stack.erase(found);
    }
    if (access.is_write) now.dirty_from = 0;
    stack.push_back(now);
  }
  return uses;
}

struct SimulatedLines {
  double fetched = 0, written_back = 0;
};

// `set` gives the set of a line.
template <typename SetOf>
SimulatedLines simulate(const std::vector<LineAccess>& trace, std::size_t ways, SetOf set) {
  std::map<int, std::vector<LineAccess>> sets;
  SimulatedLines of;
  for (const LineAccess& access : trace) {
    std::vector<LineAccess>& held = sets[set(access.line)];
    const auto found = std::ranges::find(held, access.line, &LineAccess::line);
    LineAccess now = access;
    if (found != held.end()) {
      now.is_write |= found->is_write;
      held.erase(found);
    } else {
      ++of.fetched;
      if (held.size() == ways) {
        of.written_back += held.front().is_write;
        held.erase(held.begin());
      }
    }
    held.push_back(now);
  }
  return of;
}

// Lines of 120 pages, few of which are used often.
std::vector<LineAccess> trace_of_pages(std::mt19937_64& random) {
  std::vector<LineAccess> trace;
  for (int i = 0; i < 40000; ++i) {
    const int most = random() % 3 == 0 ? 120 : 30;
    const int page = static_cast<int>(random() % most), line = static_cast<int>(random() % 3);
    trace.push_back({64 * page + line, random() % 4 == 0});
  }
  return trace;
}

ProfileCache cache_with(int sets, int ways, double huge_pages) {
  return {"L2", 64.0 * sets * ways, false, 1, ways, huge_pages};
}

TEST(Conflicts, TrafficIsThatOfASimulatedCacheWithSets) {
  std::mt19937_64 random(5);
  const std::vector<LineAccess> trace = trace_of_pages(random);
  for (const int sets : {64, 256, 512}) {
    LineUses uses;
    uses.sets = {{64, depths_of(trace, 64)}, {sets, depths_of(trace, sets)}};
    for (const int ways : {1, 2, 4, 7, 8, 12, 16}) {
      const Traffic traffic = traffic_behind_sets(uses, cache_with(sets, ways, 1));
      const SimulatedLines truth = simulate(trace, ways, [&](int line) { return line % sets; });
      EXPECT_NEAR(traffic.fetched() / 64, truth.fetched, 1e-6) << sets << " sets, " << ways;
      // What is dirty at the end is written back by neither before.
      EXPECT_NEAR(traffic.written_back / 64, truth.written_back, 3.0 * 120) << sets << " sets, " << ways;
    }
  }
}

Profile profile_of(const LineUses& lines) {
  Profile profile;
  profile.places = {{"main", "/app", "", 0}};
  profile.objects.resize(1);
  profile.sets_followed = 1;
  ProfileUses uses;
  uses.own = uses.all = lines;
  profile.uses = {uses};
  return profile;
}

// Lines that are dirty from one depth to another: caches that hold both write nothing back, and the sum of
// the differences is 0 but for rounding. Points with bytes below 0 are refused.
TEST(Conflicts, BytesWrittenBackAreNotNegative) {
  for (int from = 0; from < 31; ++from) {
    for (int to = from + 1; to < 32; ++to) {
      LineUses uses;
      uses.sets[64].written_back = {{from, 1000}, {to, -1000}};
      for (int sets = 64; sets <= 1 << 20; sets *= 2)
        EXPECT_GE(traffic_behind_sets(uses, cache_with(sets, 16, 0)).written_back, 0) << sets;
    }
  }
}

// Pages lie anywhere, which the mean over many places of them shows.
TEST(Conflicts, SmallPagesLieAnywhereInACache) {
  std::mt19937_64 random(6);
  const std::vector<LineAccess> trace = trace_of_pages(random);
  LineUses uses;
  uses.sets[64] = depths_of(trace, 64);
  for (const auto& [sets, ways] : {std::pair(256, 16), {512, 8}, {1024, 4}}) {
    constexpr int places = 40;
    SimulatedLines mean;
    for (int i = 0; i < places; ++i) {
      std::vector<int> place(120);
      for (int& one : place) one = static_cast<int>(random() % (sets / 64));
      const SimulatedLines one =
          simulate(trace, ways, [&](int line) { return 64 * place[line / 64] + line % 64; });
      mean.fetched += one.fetched / places;
      mean.written_back += one.written_back / places;
    }
    const Traffic traffic = traffic_behind_sets(uses, cache_with(sets, ways, 0));
    EXPECT_NEAR(traffic.fetched() / 64 / mean.fetched, 1, 0.04) << sets;
    // A line that stays dirty for several uses may be evicted before each of them. Only the deepest counts.
    EXPECT_NEAR(traffic.written_back / 64 / mean.written_back, 0.93, 0.08) << sets;
    const std::vector<ProfileCache> caches = {cache_with(64, ways, 0), cache_with(sets, ways, 0)};
    const Profile profile = profile_of(uses);
    const std::vector<double> more = may_write_more(profile, caches);
    EXPECT_EQ(more.front(), 0) << "a page selects the set";
    EXPECT_GT(traffic.written_back + more.back(), 64 * mean.written_back) << sets;
    EXPECT_LE(traffic.written_back + more.back(), traffic.fetched()) << sets;
  }
}

Profile profile_with_depths() {
  LineUses lines;
  lines.read[0] = {{never_used, 3}};
  lines.sets[64].read[1] = {{9, 30}};
  lines.sets[1024].written_back = {{0, 2}, {17, -2}};
  Profile profile = profile_of(lines);
  profile.command = {"./app"};
  profile.objects.front().kind = ObjectKind::variable;
  profile.sets_followed = 0.5;
  profile.sets_error = 0.25;
  return profile;
}

TEST(Conflicts, DepthsAreReadAsTheyWereWritten) {
  const Profile profile = profile_with_depths();
  const std::string text = profile_to_json(profile);
  EXPECT_EQ(profile_from_json(text, "a.profile"), profile);
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    EXPECT_NE(changed.find(from), std::string::npos);
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  EXPECT_THROW(profile_from_json(damaged("[9,30]", "[74,30]"), "a.profile"), Error);
  EXPECT_THROW(profile_from_json(damaged("\"sets_followed\":0.5", "\"sets_followed\":2"), "a.profile"),
               Error);
  EXPECT_THROW(profile_from_json(damaged("\"sets_error\":0.25", "\"sets_error\":-1"), "a.profile"), Error);
}

// Those of older versions have no depths: every cache counts as fully associative.
TEST(Conflicts, OlderProfilesKnowNone) {
  Profile profile = profile_with_depths();
  profile.sets_followed = profile.sets_error = 0;
  profile.uses.front().own.sets.clear();
  profile.uses.front().all.sets.clear();
  std::string text = profile_to_json(profile);
  for (const std::string field : {"\"sets_followed\":0.0,", "\"sets_error\":0.0,"}) {
    const std::size_t at = text.find(field);
    ASSERT_NE(at, std::string::npos) << text;
    text.erase(at, field.size());
  }
  const Profile older = profile_from_json(text, "a.profile");
  EXPECT_EQ(older, profile);
  const ProfileRow row = profile_rows(older, ProfileKey::program, {cache_with(64, 8, 0)}).front();
  EXPECT_EQ(row.behind.front().fetched(), 3 * 64);
  EXPECT_EQ(row.conflicts.front(), 0);
}

// The samples of dirty lines by distance and by depth are not the same, so spread lines may seem to write
// less than nothing.
TEST(Conflicts, AreNoMoreThanTheBytes) {
  LineUses lines;
  lines.written_back = {{4, -1000}};
  lines.sets[64].read[0] = {{never_deep, 30}};
  const std::vector<ProfileCache> caches = {cache_with(64, 8, 0)};
  const ProfileRow row = profile_rows(profile_of(lines), ProfileKey::program, caches).front();
  EXPECT_EQ(row.behind.front().total(), 30 * 64);
  EXPECT_EQ(row.conflicts.front(), 30 * 64);
}

TEST(Conflicts, DepthsOfProcessesAddUp) {
  Profile sum = profile_with_depths();
  add_profile(sum, profile_with_depths());
  EXPECT_EQ(sum.uses.front().own.sets[64].read[1].at(9), 60);
  Profile older = profile_with_depths();
  older.sets_followed = 0;
  add_profile(sum, older);
  EXPECT_EQ(sum.sets_followed, 0) << "not known of all";
}

}  // namespace
}  // namespace gable::model
