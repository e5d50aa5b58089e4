// Counts of marked regions are exact, with any nesting and any activity of other threads.

#include <algorithm>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

constexpr std::uint64_t n = 1000;

class Regions : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_VALGRIND(); }
};

const RegionCounts& region(const Counts& counts, const std::string& name) {
  static const RegionCounts none;
  const auto found = std::find_if(counts.regions.begin(), counts.regions.end(),
                                  [&](const RegionCounts& each) { return each.region == name; });
  if (found != counts.regions.end()) return *found;
  ADD_FAILURE() << "no region " << name;
  return none;
}

Work elements(std::uint64_t count) {
  return {{{Op::add, Precision::dp, 0, count}, {Op::mul, Precision::dp, 0, count}}, 16 * count, 8 * count};
}

TEST_F(Regions, HoldTheWorkOfThoseInsideThem) {
  const Counts counts = count({program("marked"), "one"});
  ASSERT_EQ(counts.regions.size(), 2u);
  EXPECT_EQ(counts.regions[0].region, "outer");
  EXPECT_EQ(region(counts, "outer").work, elements(3 * n));
  EXPECT_EQ(region(counts, "inner").work, elements(n));
  EXPECT_EQ(region(counts, "inner").calls, 1u);
  EXPECT_EQ(region(counts, "inner").threads, 1);
  EXPECT_EQ(region(counts, "outer").of_others, (Work{{}, 0, 0}));
}

TEST_F(Regions, AreTheSameWhileTheMarkerRecords) {
  const TemporaryFolder folder("test");
  const Counts counts = count_with_valgrind(
      {{"env", "GABLE_MARKER_FILE=" + (folder.path / "m").string(), program("marked"), "one"}});
  EXPECT_EQ(region(counts, "outer").work, elements(3 * n));
  EXPECT_EQ(region(counts, "inner").work, elements(n));
}

TEST_F(Regions, AddUpTheThreadsThatMarkThem) {
  const Counts counts = count({program("marked"), "threads"});
  EXPECT_EQ(region(counts, "outer").work, elements(4 * 3 * n));
  EXPECT_EQ(region(counts, "inner").work, elements(4 * n));
  EXPECT_EQ(region(counts, "inner").threads, 4);
  EXPECT_EQ(region(counts, "inner").calls, 4u);
}

TEST_F(Regions, OfOneThreadAreTheWorkOfAllMeanwhile) {
  const Counts counts = count({program("marked"), "library"});
  const RegionCounts& library = region(counts, "library");
  EXPECT_EQ(library.threads, 1);
  EXPECT_EQ(library.work.flops, elements(4 * n).flops);
  EXPECT_EQ(library.of_others.flops, elements(3 * n).flops);
  EXPECT_GT(*library.work.load_bytes, 4 * n * 16);  // threads are created and joined there
}

TEST_F(Regions, OfSeveralThreadsLeaveOutWhoIsOutside) {
  const Counts counts = count({program("marked"), "beside"});
  const RegionCounts& shared = region(counts, "shared");
  EXPECT_EQ(shared.threads, 4);
  EXPECT_EQ(shared.work.flops, elements(4 * n).flops);
  EXPECT_EQ(shared.of_others.flops, elements(3 * n).flops);
}

TEST_F(Regions, LeaveOutTheMarkerOfAThreadThatWasInItWhenTheyOpened) {
  const Counts counts = count({program("marked"), "meanwhile"});
  const RegionCounts& meanwhile = region(counts, "meanwhile");
  EXPECT_EQ(meanwhile.threads, 1);
  EXPECT_EQ(meanwhile.work.flops, elements(4 * n).flops);
  EXPECT_EQ(meanwhile.of_others.flops, elements(3 * n).flops);
}

TEST_F(Regions, StartedTwiceCountOnce) {
  const Counts counts = count({program("marked"), "twice"});
  EXPECT_EQ(region(counts, "twice").work.flops, elements(4 * n).flops);
  EXPECT_EQ(region(counts, "twice").calls, 1u);
  EXPECT_EQ(region(counts, "outer").work, elements(6 * n));
  EXPECT_EQ(region(counts, "outer").calls, 2u);
}

TEST_F(Regions, OfAForkedChildBeginAnew) {
  const Counts counts = count({program("marked"), "fork"});
  EXPECT_EQ(region(counts, "parent").work.flops, elements(n).flops);
  EXPECT_EQ(region(counts, "outer").work, elements(3 * n));
}

TEST_F(Regions, ThatStayOpenAreRefused) {
  try {
    count({program("marked"), "open"});
    ADD_FAILURE() << "it was counted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'left open' was never closed"), std::string::npos);
  }
}

}  // namespace
}  // namespace gable::points::tests
