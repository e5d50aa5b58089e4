// The record of a run, and the placement from it.

#include "kmaf/engine/knowledge.hpp"

#include <gtest/gtest.h>

#include "machines.hpp"

namespace gable::kmaf {
namespace {

const KnownProgram program = {"0+1", "/bin/app"};

Learning small_learning() {
  return {4096, 1024, {.tasks = 4, .pages = 3, .sub_blocks = 8, .uses = 2}};
}

TEST(Learning, CountsWhoUsesWhat) {
  Learning learning = small_learning();
  const int first = *learning.add_task(program, 0), second = *learning.add_task(program, 3);
  learning.sample(first, 7, 0x5010, 0xa5010);   // initializes
  learning.sample(second, 7, 0x5020, 0xa5020);  // the same sub-block
  learning.sample(second, 7, 0x5030, 0xa5030);
  learning.sample(first, 7, 0x5404, 0xa5404);  // another sub-block of the page
  learning.sample(first, 8, 0x5000, 0xff000);  // the same offset of another object
  const Knowledge known = learning.knowledge();
  EXPECT_EQ(known.programs, std::vector<KnownProgram>{program});
  EXPECT_EQ(known.tasks, (std::vector<KnownTask>{{0, 0, 3}, {0, 3, 2}}));
  EXPECT_EQ(known.sharing, (std::vector<KnownSharing>{{0, 1, 1}}));
  EXPECT_EQ(known.pages,
            (std::vector<KnownPage>{{0, 0xa5000, {{1, 2}, {0, 2}}, first}, {0, 0xff000, {{0, 1}}, first}}));
  EXPECT_EQ(known.tasks_at_once, 2);
}

TEST(Learning, IsBounded) {
  Learning learning = small_learning();
  for (int number = 0; number < 10; ++number) {
    const auto task = learning.add_task(program, number);
    ASSERT_EQ(task.has_value(), number < 4);
    learning.ended();
    for (std::uint64_t page = 0; task && page < 100; ++page)
      learning.sample(*task, 1, page << 12, page << 12);
  }
  const Knowledge known = learning.knowledge();
  EXPECT_EQ(known.tasks.size(), 4u);
  EXPECT_EQ(known.tasks_left_out, 6u);
  EXPECT_EQ(known.pages.size(), 3u);
  EXPECT_EQ(known.samples_left_out, 4u * 97);
  for (const KnownPage& page : known.pages) {
    EXPECT_EQ(page.uses.size(), 2u);
    EXPECT_EQ(page.uses[0].accesses + page.uses[1].accesses + page.others, 4u);  // all tasks
  }
  EXPECT_EQ(known.tasks_at_once, 1);
}

Knowledge groups_of_two() {
  Knowledge known{{"app"}, 4096, false, 4, 0, 0, {program}, {}, {}, {}};
  for (int number = 0; number < 4; ++number) known.tasks.push_back({0, number, 10});
  known.sharing = {{0, 2, 100}, {1, 3, 100}, {0, 1, 1}};
  return known;
}

TEST(Knowledge, ThreadsThatShareShareANode) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  const Hierarchy hierarchy = hierarchy_of(test::small());
  const Mapping leaves = leaves_of(groups_of_two(), hierarchy);
  const auto node = [&](std::size_t task) {
    return hierarchy.leaves[static_cast<std::size_t>(leaves[task])].node;
  };
  EXPECT_EQ(node(0), node(2));
  EXPECT_EQ(node(1), node(3));
  EXPECT_NE(node(0), node(1));
}

TEST(Knowledge, WithoutSharingThreadsStandInOrder) {
  Knowledge known = groups_of_two();
  known.sharing.clear();
  EXPECT_EQ(leaves_of(known, hierarchy_of(test::small())), (Mapping{0, 1, 2, 3}));
}

TEST(Knowledge, PagesAreWhereTheirThreadsAccessMost) {
  const Hierarchy hierarchy = hierarchy_of(test::small());  // leaves 0 and 1 on node 0
  Knowledge known = groups_of_two();
  known.pages = {{0, 0x1000, {{0, 5}}},
                 {0, 0x2000, {{2, 4}, {0, 3}, {1, 2}}},  // two of node 0 outweigh one of node 1
                 {0, 0x3000, {{0, 1}, {3, 1}}},          // initialized by one, used by the other
                 {0, 0x4000, {{3, 1}, {0, 1}}}};
  EXPECT_EQ(homes_of(known, {0, 1, 2, 3}, hierarchy), (std::vector<int>{0, 0, 1, 0}));
}

}  // namespace
}  // namespace gable::kmaf
