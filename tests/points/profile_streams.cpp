// The order in which an instruction comes to its lines, if it passes through several regions by turns.

#include <fmt/format.h>

#include <string>

#include "model/profile/levels.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

// The part of the lines that a function fetches into a cache of 64 KiB and that it comes to in order.
double part_in_order(const std::string& of, int n, int times, const std::string& function = "gather") {
  const model::Profile profile = profile_of(of, n, times);
  for (const model::ProfileRow& row :
       profile_rows(profile, model::ProfileKey::function, {{"cache", 65536, false}})) {
    if (row.name != function) continue;
    const model::Traffic& traffic = row.behind.front();
    return (traffic.read[0] + traffic.written[0]) / traffic.fetched();
  }
  ADD_FAILURE() << function << " is not in the profile";
  return 0;
}

double streams_in_order(int streams, int n, int times, int threads = 1) {
  return part_in_order(fmt::format("{} streams of {} threads", streams, threads), n, times);
}

TEST(ProfileStreams, OfAMatrixWithAFewDiagonalsAreInOrder) {
  SKIP_WITHOUT_VALGRIND();
  for (const int streams : {1, 7, 15}) EXPECT_GT(streams_in_order(streams, 200000, 2), 0.95) << streams;
}

TEST(ProfileStreams, OfMorePagesThanAPrefetcherFollowsAreNot) {
  SKIP_WITHOUT_VALGRIND();
  // The indices, half as many bytes, are in order.
  EXPECT_NEAR(streams_in_order(100, 200000, 2), 1.0 / 3, 0.02);
}

TEST(ProfileStreams, RandomLinesAreNotInOrder) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_LT(part_in_order("gather", 40000, 3), 0.1);
}

// Prefetchers do not follow a stride from page to page, however many lines are followed.
TEST(ProfileStreams, StepsOfAPageAndMoreAreNotInOrder) {
  SKIP_WITHOUT_VALGRIND();
  for (const int pages : {2000, 60000}) {
    EXPECT_LT(part_in_order("pages", pages, 8, "step"), 0.05) << pages;
    EXPECT_LT(part_in_order("padded pages", pages, 8, "step"), 0.05) << pages;
  }
}

// Once only a part of the lines is followed, a page has few of them.
TEST(ProfileStreams, AreFoundAmongFewFollowedLines) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_GT(streams_in_order(7, 1000000, 6), 0.9);
  EXPECT_LT(part_in_order("gather", 400000, 12), 0.1);
}

// Each core has a prefetcher of its own.
TEST(ProfileStreams, OfSeveralThreadsAreApart) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_GT(streams_in_order(15, 400000, 4, 4), 0.98);
}

}  // namespace
}  // namespace gable::points::tests
