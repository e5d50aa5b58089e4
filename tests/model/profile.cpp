// Traffic behind caches of any size, against a cache that is simulated line by line; and profiles in files.

#include "model/json/programs/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <random>

#include "base/error.hpp"
#include "model/profile/bounded.hpp"
#include "model/profile/levels.hpp"
#include "model/profile/traffic.hpp"
#include "model/records/add_profile.hpp"

namespace gable::model {
namespace {

struct Access {
  int line;
  bool is_write;
};

int bucket_of(double distance) {
  return distance < 1 ? 0 : 1 + static_cast<int>(std::floor(4 * std::log2(distance) + 1e-9));
}

// The distances of a trace, by definition: the tool has another algorithm.
LineUses uses_of(const std::vector<Access>& trace) {
  struct Known {
    int line;
    double dirty_from;  // < 0: clean
  };
  std::vector<Known> stack;  // the line used last is the last one
  LineUses uses;
  const auto write_back = [&](const Known& known, int to) {
    ++uses.written_back[bucket_of(known.dirty_from)];
    --uses.written_back[to];
  };
  for (const Access& access : trace) {
    auto& to = (access.is_write ? uses.written : uses.read)[0];
    const auto found = std::find_if(stack.begin(), stack.end(),
                                    [&](const Known& known) { return known.line == access.line; });
    Known now{access.line, -1};
    if (found == stack.end()) {
      ++to[never_used];
    } else {
      const double distance = static_cast<double>(stack.end() - found - 1);
      ++to[bucket_of(distance)];
      now = *found;
      if (now.dirty_from >= 0 && distance > now.dirty_from) {
        write_back(now, bucket_of(distance));
        now.dirty_from = distance;
      }
      stack.erase(found);
    }
    if (access.is_write) now.dirty_from = 0;
    stack.push_back(now);
  }
  for (std::size_t i = 0; i < stack.size(); ++i) {
    const double distance = static_cast<double>(stack.size() - i - 1);
    if (stack[i].dirty_from >= 0 && distance > stack[i].dirty_from) write_back(stack[i], bucket_of(distance));
  }
  return uses;
}

struct Simulated {
  double fetched = 0, written_back = 0;
};

// A cache that replaces the line used least recently, as hardware would do it.
Simulated simulate(const std::vector<Access>& trace, std::size_t lines) {
  std::list<Access> cache;  // the line used last is the first one
  Simulated of;
  for (const Access& access : trace) {
    const auto found = std::find_if(cache.begin(), cache.end(),
                                    [&](const Access& held) { return held.line == access.line; });
    Access now = access;
    if (found == cache.end()) {
      ++of.fetched;
      if (cache.size() == lines) {
        of.written_back += cache.back().is_write;
        cache.pop_back();
      }
    } else {
      now.is_write |= found->is_write;
      cache.erase(found);
    }
    cache.push_front(now);
  }
  return of;
}

std::vector<Access> random_trace(std::mt19937_64& random) {
  const int lines = std::uniform_int_distribution(2, 60)(random);
  const double writes = std::uniform_real_distribution(0.0, 1.0)(random);
  std::vector<Access> trace;
  for (int i = 0; i < 600; ++i) {
    const bool sequential = random() % 3 == 0;
    trace.push_back({sequential ? i % lines : static_cast<int>(random() % lines),
                     std::bernoulli_distribution(writes)(random)});
  }
  return trace;
}

// At sizes where a bucket begins, nothing is interpolated.
TEST(Profile, TrafficIsThatOfASimulatedCache) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 40; ++i) {
    const std::vector<Access> trace = random_trace(random);
    const LineUses uses = uses_of(trace);
    for (const std::size_t lines : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
      const Traffic traffic = traffic_behind(uses, lines * 64.0);
      const Simulated truth = simulate(trace, lines);
      EXPECT_NEAR(traffic.fetched() / 64, truth.fetched, 1e-6) << lines;
      EXPECT_NEAR(traffic.written_back / 64, truth.written_back, 1e-6) << lines;
    }
  }
}

TEST(Profile, SampledSetsStandForNoMoreMissesThanThereAreAccesses) {
  Profile profile;
  profile.sets_followed = 0.25;
  profile.places = {{"main", "/app", "", 0}};
  profile.objects.resize(1);
  profile.accesses = {{0, 0, 1000, 0, 8000, 0}};
  ProfileUses uses;
  uses.own.sets[sets_of_page].read[0] = {{12, 4000}};  // as if all were in the followed sets
  profile.uses = {uses};
  const ProfileCache cache{.level = "L1", .bytes = 32768, .is_shared = false, .ways = 8};
  const ProfileRow row = profile_rows(profile, ProfileKey::function, {cache}).front();
  EXPECT_DOUBLE_EQ(row.behind.front().fetched(), 1000 * 64 + 8000);
  EXPECT_LE(row.conflicts.front(), row.behind.front().total());
}

TEST(Profile, ALargerCacheTransfersNoMore) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 20; ++i) {
    const LineUses uses = uses_of(random_trace(random));
    double before = 1e300;
    for (double bytes = 64; bytes < 8192; bytes *= 1.07) {
      const double now = traffic_behind(uses, bytes).total();
      EXPECT_LE(now, before + 1e-6);
      EXPECT_GE(traffic_behind(uses, bytes).written_back, 0);
      before = now;
    }
  }
}

Profile sample_profile() {
  Profile profile;
  profile.command = {"./app", "1"};
  profile.architecture = "x86-64";
  profile.build = "0a1b";
  profile.threads = 2;
  profile.busiest_thread = 0.75;
  profile.barriers = 12;
  profile.serial = 0.5;
  profile.lines_followed = 0.25;
  profile.functions = {{"main", "/app", 8, 64, 32}};
  profile.places = {{"main", "/app", "", 0}, {"sum", "/app", "a.c", 7}};
  profile.objects = {{ObjectKind::heap,
                      "p",
                      "",
                      {{"malloc", "/lib/libc.so.6", "", 0, 9}, {"main", "/app", "a.c", 5, 77}},
                      1,
                      2,
                      640,
                      0.1,
                      1},
                     {ObjectKind::variable, "table", "/app", {}, -1, 0, 80, 0, 1}};
  profile.accesses = {{0, 0, 1, 2, 8, 16}, {1, -1, 3, 0, 24, 0}};
  ProfileUses uses;
  uses.place = 1;
  uses.region = "loop";
  uses.own.read[0] = {{0, 3}, {never_used, 4}};
  uses.own.written_back = {{0, 2}, {5, -2}};
  uses.all = uses.own;
  uses.chains = {{3, 1}};
  profile.uses = {uses};
  profile.started = "2026-01-31T12:00:00Z";
  return profile;
}

TEST(Profile, IsReadAsItWasWritten) {
  const Profile profile = sample_profile();
  EXPECT_EQ(profile_from_json(profile_to_json(profile), "a.profile"), profile);
}

std::string with_damage(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Profile, DamageIsNamedByFieldAndLine) {
  const std::string good = profile_to_json(sample_profile());
  const std::pair<std::string, std::string> damages[] = {
      {"\"place\":1", "\"place\":7"},
      {"\"object\":-1", "\"object\":5"},
      {"[121,4]", "[123,4]"},
      {"[121,4]", "[0,4]"},
      {"[121,4]", "[121,-4]"},
      {"\"kind\":\"heap\"", "\"kind\":\"pile\""},
      {"\"asker\":1", "\"asker\":2"},
      {"\"lines_followed\":0.25", "\"lines_followed\":0"},
      {"\"threads\":2", "\"threads\":\"2\""},
      {"\"busiest_thread\":0.75", "\"busiest_thread\":1.5"},
      {"\"serial\":0.5", "\"serial\":-0.5"},
      {"\"flops\":8", "\"flops\":1e300"},
      {"\"loads\":3", "\"loads\":1e300"},
      {"[121,4]", "[121,1e300]"},
      {"[5,-2]", "[5,-1e300]"},
      {"\"shared\":[", "\"shared\":[{\"with\":[1e300]}"},
  };
  for (const auto& [from, to] : damages) {
    try {
      profile_from_json(with_damage(good, from, to), "a.profile");
      ADD_FAILURE() << to << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("a.profile"), 0u) << error.what();
    }
  }
  for (std::size_t length = 0; length < good.size() - 1; length += 97) {
    EXPECT_THROW(profile_from_json(good.substr(0, length), "a.profile"), Error) << length;
  }
}

// 20 functions, each of which uses its own object, those of odd numbers in a region.
Profile profile_of_twenty() {
  std::mt19937_64 random(9);
  Profile profile;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "f" + std::to_string(i);
    profile.places.push_back({name, "/app", "", 0});
    profile.functions.push_back({name, "/app", 8.0 + i, 640, 64});
    profile.objects.push_back({ObjectKind::variable, "o" + std::to_string(i), "/app", {}, -1, 0, 64, 0, 1});
    profile.accesses.push_back({i, i, 10, 1, 640.0 * (i + 1), 64});
    ProfileUses uses;
    uses.place = uses.object = i;
    if (i % 2 == 1) uses.region = "loop";
    uses.own = uses.all = uses_of(random_trace(random));
    profile.uses.push_back(uses);
  }
  return profile;
}

// What is left out of it is added up, so that every sum stays what it was.
TEST(Profile, ABoundedProfileHasTheSameSums) {
  const Profile whole = profile_of_twenty();
  const std::vector<ProfileCache> caches = {{"L1", 512, false}, {"L2", 1024, true}};
  for (const std::size_t most : {0u, 1u, 7u, 20u, 100u}) {
    const Profile part = bounded(whole, most);
    EXPECT_EQ(profile_from_json(profile_to_json(part), "part"), part) << "its indices are right";
    const std::size_t others = most < 20 ? 1 : 0;
    EXPECT_EQ(part.objects.size(), std::min<std::size_t>(most, 20) + others);
    EXPECT_EQ(part.functions.size(), std::min<std::size_t>(most, 20) + others);
    for (const ProfileKey key : {ProfileKey::program, ProfileKey::region}) {
      const std::vector<ProfileRow> all = profile_rows(whole, key, caches),
                                    rows = profile_rows(part, key, caches);
      ASSERT_EQ(rows.size(), all.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].name, all[i].name);
        EXPECT_DOUBLE_EQ(rows[i].loads, all[i].loads);
        EXPECT_DOUBLE_EQ(rows[i].flops, all[i].flops);
        for (std::size_t level = 0; level < caches.size(); ++level)
          EXPECT_NEAR(rows[i].behind[level].total(), all[i].behind[level].total(), 1e-6);
      }
    }
  }
  const std::vector<ProfileRow> few = profile_rows(bounded(whole, 3), ProfileKey::object, caches);
  ASSERT_EQ(few.size(), 4u);
  std::vector<ProfileRow> all = profile_rows(whole, ProfileKey::object, {{"L1", 32 << 10, false}});
  EXPECT_EQ(few.front().name, other_objects) << "17 objects together";
}

// Of several processes all that a function did is added up.
TEST(Profile, WorkOfProcessesAddsUp) {
  Profile sum, one;
  FunctionWork work{
      "f", "app", 30, 16, 8, {{Level("L2"), 64, 0}}, {{operations::fma, Precision::dp, 256, 20}}};
  work.instructions = {100, 40, 10, 1};
  work.translation = Translation{{5, 0.1, 0.2}, {1, 0.01, 0.02}};
  sum.functions = one.functions = {work};
  one.functions.front().arithmetic.push_back({operations::add, Precision::dp, 0, 10});
  add_profile(sum, one);
  ASSERT_EQ(sum.functions.size(), 1u);
  const FunctionWork& both = sum.functions.front();
  EXPECT_EQ(both.flops, 60);
  EXPECT_EQ(both.levels, (std::vector<LevelBytes>{{Level("L2"), 128, 0}}));
  EXPECT_EQ(both.arithmetic, (std::vector<Arithmetic>{{operations::fma, Precision::dp, 256, 40},
                                                      {operations::add, Precision::dp, 0, 10}}));
  EXPECT_EQ(both.instructions, (Instructions{200, 80, 20, 2}));
  EXPECT_EQ(both.translation->small, (PageWalks{10, 0.2, 0.4}));
}

}  // namespace
}  // namespace gable::model
