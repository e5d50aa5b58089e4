// Profiles of loops whose lines fall into one set of a cache, against closed forms.

#include <cmath>

#include "model/profile/levels.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

model::ProfileCache cache_of(int sets, int ways, double huge_pages = 0) {
  return {"cache", 64.0 * sets * ways, false, 1, ways, huge_pages};
}

// The row of a function behind one cache.
model::ProfileRow row_of(const model::Profile& profile, const std::string& function,
                         const model::ProfileCache& cache) {
  for (model::ProfileRow& row : profile_rows(profile, model::ProfileKey::function, {cache}))
    if (row.name == function) return std::move(row);
  ADD_FAILURE() << function << " is not in the profile";
  return {};
}

double lines_of(const model::Profile& profile, const std::string& function,
                const model::ProfileCache& cache) {
  return row_of(profile, function, cache).behind.front().fetched() / 64;
}

// Lines 4 KiB apart share a set of 64: all of them miss, or none does.
TEST(Conflicts, MoreLinesOfASetThanWaysMissAlways) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int times = 1000;
  const model::Profile twelve = profile_of("pages", 12, times);
  EXPECT_EQ(twelve.sets_followed, 1);
  EXPECT_EQ(twelve.sets_error, 0);
  EXPECT_NEAR(lines_of(twelve, "step", cache_of(64, 8)), 12 * times, 12);
  EXPECT_NEAR(lines_of(twelve, "step", cache_of(64, 11)), 12 * times, 12);
  // The stack has one line of one set.
  EXPECT_NEAR(lines_of(twelve, "step", cache_of(64, 13)), 0, 13);
  const model::ProfileRow row = row_of(twelve, "step", cache_of(64, 8));
  EXPECT_NEAR(row.conflicts.front(), 64.0 * 12 * times, 64 * 13) << "512 lines hold them all, spread";
  const model::Profile padded = profile_of("padded pages", 12, times);
  EXPECT_NEAR(lines_of(padded, "step", cache_of(64, 8)), 0, 13);
  EXPECT_NEAR(row_of(padded, "step", cache_of(64, 8)).conflicts.front(), 0, 64 * 13);
}

// Sweeps over an array that is a little larger than the cache miss each line in any cache that drops the line
// that was used least recently. If lines were spread by chance, some sets would keep theirs.
TEST(Conflicts, AnArrayInOneSweepAfterTheOtherHasNone) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 5 * 4096 / 8, times = 40;  // two arrays of five lines for each set
  const model::ProfileRow row = row_of(profile_of("copy", n, times), "copy", cache_of(64, 8));
  EXPECT_GT(row.behind.front().fetched(), 0.9 * times * 2 * 8 * n);
  EXPECT_LT(row.conflicts.front(), 0.02 * row.behind.front().total());
}

TEST(Conflicts, ABoundOfWhatIsWrittenBackIsTold) {
  EXPECT_FALSE(writes_back_at_least(cache_of(64, 8))) << "exact";
  EXPECT_FALSE(writes_back_at_least(cache_of(1024, 8, 1))) << "exact on huge pages";
  EXPECT_TRUE(writes_back_at_least(cache_of(1024, 8, 0.9)));
  EXPECT_TRUE(writes_back_at_least(cache_of(96, 8, 1))) << "no depths among 96 sets are recorded";
  EXPECT_FALSE(model::writes_back_at_least({"cache", 1 << 20, false, 1, 0})) << "fully associative";
}

// On huge pages, lines 4 KiB apart fill every 64th set of a larger cache. On small pages each lies anywhere
// among them, so a line misses where the ways do not suffice for those that happen to share its set.
TEST(Conflicts, SetsOfALargerCacheDependOnItsPages) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int lines = 50, times = 500;
  const model::Profile profile = profile_of("pages", lines, times);
  for (const int sets : {256, 512, 1024, 2048}) {
    const int places = sets / 64, in_each = (lines + places - 1) / places;
    EXPECT_NEAR(lines_of(profile, "step", cache_of(sets, in_each + 1, 1)), 0, 2 * lines) << sets;
    double chance = 0, term = std::pow(1 - 1.0 / places, lines - 1);  // of fewer than 4 others
    for (int others = 0; others < 4; ++others) {
      chance += term;
      term *= (lines - 1.0 - others) / (others + 1) / (places - 1);
    }
    // Depths from 46 to 53 are one bucket, which counts as 49.
    EXPECT_NEAR(lines_of(profile, "step", cache_of(sets, 4)) / lines / times, 1 - chance, 0.02) << sets;
  }
  EXPECT_NEAR(lines_of(profile, "step", cache_of(256, 11, 1)), lines * times, lines)
      << "12 or 13 lines a set";
}

TEST(Conflicts, ThreadsOfASharedCacheEvictEachOther) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int lines = 7, times = 20000;
  const model::Profile profile = profile_of("apart by pages", lines, times);
  model::ProfileCache cache = cache_of(64, 8);
  EXPECT_LT(lines_of(profile, "step", cache), 0.01 * 2 * lines * times) << "each has a cache to itself";
  cache.is_shared = true;
  // Each thread's turn fetches its lines anew.
  const double shared = lines_of(profile, "step", cache);
  EXPECT_GT(shared, 10 * 2 * lines);
  cache = cache_of(64, 15);
  cache.is_shared = true;
  EXPECT_LT(lines_of(profile, "step", cache), 0.1 * shared) << "both fit";
}

// A search by halves comes to most of its lines in a few sets. The last two of the seven steps that miss stay
// near the line before them, and the others wait for what they load.
TEST(Conflicts, FewSetsThatDifferMuchDoNotStandForAll) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 1 << 22, times = 300000;
  model::Profile profile = profile_of("bisect", n, times);
  const model::ProfileCache cache = cache_of(1024, 8);
  EXPECT_LT(profile.sets_followed, 1);
  EXPECT_FALSE(knows_conflicts(profile, cache)) << profile.sets_error;
  const auto part_that_waits = [&] {
    const model::Traffic traffic = row_of(profile, "bisect", cache).behind.front();
    return traffic.fetched(model::AccessOrder::chained) / traffic.fetched();
  };
  EXPECT_NEAR(part_that_waits(), 5.0 / 7, 0.1);
  profile.sets_error = 0;  // as if the sets that were followed were like the others
  EXPECT_LT(part_that_waits(), 0.5);
}

// Where ways or depths are not known, caches count as fully associative.
TEST(Conflicts, NothingIsKnownWithoutWaysOrDepths) {
  SKIP_WITHOUT_VALGRIND();
  model::Profile profile = profile_of("pages", 12, 1000);
  model::ProfileCache cache = cache_of(64, 8);
  EXPECT_TRUE(knows_conflicts(profile, cache));
  cache.ways = 0;
  EXPECT_FALSE(knows_conflicts(profile, cache));
  EXPECT_LT(lines_of(profile, "step", cache), 13);
  cache.ways = 8;
  profile.sets_followed = 0;
  EXPECT_FALSE(knows_conflicts(profile, cache));
  EXPECT_LT(lines_of(profile, "step", cache), 13);
}

}  // namespace
}  // namespace gable::points::tests
