// The order in which an instruction comes to its lines, if it passes through several regions by turns.

#include <string>

#include "model/profile/levels.hpp"
#include "points/profile/record.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

// The part of the lines that the function fetches into a cache of 64 KiB and that it comes to in order.
double in_order(const std::string& program_name, int lines, int times) {
  const ProfileRun run = record_profile(
      {{program("profiled"), program_name, std::to_string(lines), std::to_string(times)}, {}, true}, false);
  EXPECT_EQ(run.status, 0);
  for (const model::ProfileRow& row :
       profile_rows(run.profile, model::ProfileKey::function, {{"cache", 65536, false}})) {
    if (row.name != "gather") continue;
    const model::Traffic& traffic = row.behind.front();
    EXPECT_GT(traffic.fetched(), 0.95 * 64 * lines * times);
    return (traffic.read[0] + traffic.written[0]) / traffic.fetched();
  }
  ADD_FAILURE() << "gather is not in the profile";
  return 0;
}

TEST(ProfileStreams, OfAMatrixWithAFewDiagonalsAreInOrder) {
  SKIP_WITHOUT_VALGRIND();
  for (const char* streams : {"streams 1", "streams 7", "streams 15"})
    EXPECT_GT(in_order(streams, 40000, 3), 0.95) << streams;
}

TEST(ProfileStreams, OfMorePagesThanAPrefetcherFollowsAreNot) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_LT(in_order("streams 100", 40000, 3), 0.1);
}

TEST(ProfileStreams, RandomLinesAreNotInOrder) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_LT(in_order("gather", 40000, 3), 0.1);
}

// Once only a part of the lines is followed, a page has few of them.
TEST(ProfileStreams, AreFoundAmongFewFollowedLines) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_GT(in_order("streams 7", 400000, 12), 0.9);
  EXPECT_LT(in_order("gather", 400000, 12), 0.1);
}

}  // namespace
}  // namespace gable::points::tests
