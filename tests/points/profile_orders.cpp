// How accesses find their addresses, and the reuse of pages, in profiles of loops that are known.

#include <cmath>

#include "model/profile/levels.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

using model::Distances;
using model::ProfileRow;

// The row of a function behind a cache of so many bytes.
ProfileRow row_behind(const model::Profile& profile, const std::string& function, double bytes) {
  for (ProfileRow& row : profile_rows(profile, model::ProfileKey::function, {{"cache", bytes, false}}))
    if (row.name == function) return std::move(row);
  ADD_FAILURE() << function << " is not in the profile";
  return {};
}

// So many loads, each of a line, in so many chains at once, behind a cache of so many bytes.
void expect_chains(const ProfileRow& row, int chains, int loads, double cache_bytes) {
  const model::Traffic& traffic = row.behind.front();
  EXPECT_NEAR(traffic.fetched(), 64.0 * loads, 0.02 * 64 * loads + cache_bytes);
  EXPECT_GT(traffic.read[2], 0.99 * traffic.fetched());
  EXPECT_NEAR(row.chain / (loads / chains / 2), 1, 0.15);
}

// The load at step i waits for i - 1 others. Lengths are known in octaves.
TEST(Orders, AChaseIsAChainAsLongAsItsSteps) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int nodes = 30000, times = 3;
  expect_chains(row_behind(profile_of("chase", nodes, times), "chase", 32 * nodes), 1, nodes * times,
                32 * nodes);
}

// Four chases at once: each chain has a quarter of the loads, so four misses overlap.
TEST(Orders, ChasesAtOnceAreShorterChains) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int nodes = 30000, times = 4;
  expect_chains(row_behind(profile_of("four chases", nodes, times), "four_chases", 16 * nodes), 4,
                nodes * times, 16 * nodes);
}

// Each step of a search by halves waits for those before it. The last few stay within a line or its
// neighbour.
TEST(Orders, AConditionalMoveWaitsForWhatItCompares) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 1 << 16, times = 5000, steps = 16, first = 3, last = 5;
  const ProfileRow row = row_behind(profile_of("bisect", n, times), "bisect", 256);
  ASSERT_FALSE(row.behind.empty());
  EXPECT_NEAR(row.behind.front().read[2], 64.0 * (steps - first - last) * times, 64 * times);
  EXPECT_LE(row.behind.front().read[1], 64.0 * first * times);
  EXPECT_GT(row.chain, first);
  EXPECT_LT(row.chain, steps);
}

TEST(Orders, AGatherIsIrregularAndNoChain) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 40000, times = 5;
  const ProfileRow row = row_behind(profile_of("gather", n, times), "gather", 64.0 * n / 4);
  const model::Traffic& traffic = row.behind.front();
  EXPECT_GT(traffic.read[1], 0.9 * (traffic.fetched() - 4.0 * n * times));
  EXPECT_LT(traffic.read[2], 0.02 * traffic.fetched());
}

// Instructions of a function, and those near each of its loads of lines without an order behind a cache.
std::pair<double, double> executed_and_near(const std::string& name, const std::string& function, int n) {
  const model::Profile profile = profile_of(name, n, 5);
  const ProfileRow row = row_behind(profile, function, 64.0 * n / 4);
  return {work_of(profile, function).instructions.executed,
          row.near.front() / (row.behind.front().read[1] / 64)};
}

// What a function computes before and after its loads is not near them. Of 40 000 lines, three of four miss.
TEST(Orders, OtherPhasesOfAFunctionAreNotNearItsLoads) {
  SKIP_WITHOUT_VALGRIND();
  const auto [of_loop, near_of_loop] = executed_and_near("gather", "gather", 40000);
  const auto [of_turns, near_of_turns] = executed_and_near("gather by turns", "gather_by_turns", 40000);
  EXPECT_GT(of_turns, 5 * of_loop);
  EXPECT_NEAR(near_of_loop, of_loop / (0.75 * 40000 * 5), 0.2 * near_of_loop);
  EXPECT_NEAR(near_of_turns, near_of_loop, 0.5 * near_of_loop);
}

// The stores of a transpose go down a column, but for the first one or two of each. Those of a gather do not.
TEST(Orders, AColumnIsStrided) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 600, times = 2;  // rows longer than a page
  const ProfileRow column = row_behind(profile_of("transpose", n, times), "transpose", 64.0 * n / 4);
  EXPECT_GT(column.behind.front().written[1], 0.9 * 64 * n * n * times);
  EXPECT_GT(column.strided.front(), 0.98 * column.behind.front().written[1]);
  const ProfileRow gather = row_behind(profile_of("gather", 40000, 5), "gather", 64.0 * 40000 / 4);
  EXPECT_GT(gather.behind.front().read[1], 0);
  EXPECT_LT(gather.strided.front(), 0.01 * gather.behind.front().read[1]);
}

// Numbers of uses of pages at this distance or more, and all.
std::pair<double, double> far_and_all(const Distances& pages, double distance) {
  double far = 0, all = 0;
  for (const auto& [bucket, uses] : pages) {
    all += uses;
    if (bucket > 0 && std::exp2((bucket - 1) / 4.0) >= distance) far += uses;
  }
  return {far, all};
}

// A loop over a line of each page uses all others between two uses of a page. They lie side by side, so few
// of its steps change the page of 2 MiB, and then all of these were used since.
TEST(Orders, ALoopOverPagesUsesEachAfterAllOthers) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int pages = 2048, times = 5, huge = 4;  // or five, because the first may begin anywhere
  const model::Profile profile = profile_of("pages", pages, times);
  double far = 0, all = 0, far_huge = 0, all_huge = 0;
  for (const model::ProfileUses& uses : profile.uses) {
    if (profile.places[uses.place].function != "step") continue;
    if (profile.objects[uses.object].kind != model::ObjectKind::heap) continue;
    const auto [some, of] = far_and_all(uses.pages, pages / 2);
    const auto [some_huge, of_huge] = far_and_all(uses.huge_pages, 2);
    far += some, all += of, far_huge += some_huge, all_huge += of_huge;
  }
  EXPECT_EQ(all, pages * times);
  EXPECT_EQ(far, pages * times);
  EXPECT_EQ(all_huge, pages * times) << "counted where the page of 4 KiB changes";
  EXPECT_GE(far_huge, huge * times - 1);
  EXPECT_LE(far_huge, (huge + 1) * times);
}

}  // namespace
}  // namespace gable::points::tests
