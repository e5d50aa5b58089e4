// The engine on literal samples: pages, sharing, tasks.

#include "kmaf/engine/engine.hpp"

#include <gtest/gtest.h>

#include "engine_test.hpp"
#include "kmaf/engine/objects.hpp"

namespace gable::kmaf {
namespace {

TEST_F(EngineTest, PagesWaitUntilThreadsWereMapped) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  for (int i = 0; i < 10; ++i) access(7, 2, 4096, 0.001 * i, 0);
  EXPECT_FALSE(engine.mapped());
  EXPECT_TRUE(engine.take_actions().empty());
  engine.advance(0.0999);
  EXPECT_FALSE(engine.mapped());
  engine.advance(0.1);
  EXPECT_TRUE(engine.mapped());
  EXPECT_EQ(task_moves(), (std::vector<MoveTask>{{7, 2}})) << "kept where it is: nothing is shared";
  access(7, 2, 4100, 0.11, 0);
  EXPECT_TRUE(page_moves().empty()) << "its location since it was moved counts";
  access(7, 2, 4100, 0.12, 0);
  EXPECT_EQ(page_moves(), (std::vector<MovePage>{{{0, 1}, 0, 1}}));
}

TEST_F(EngineTest, ThreadsThatComeLaterCountOnceTheyHaveAPlace) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  access(7, 0, 0, 0, 0);
  engine.advance(0.1);
  for (int i = 0; i < 9; ++i) access(8, 2, 0, 0.11, 0);
  EXPECT_EQ(engine.table().counter(0, 1), 0u);
  EXPECT_TRUE(page_moves().empty());
  engine.advance(0.2);
  access(8, 2, 0, 0.21, 0);
  EXPECT_EQ(engine.table().counter(0, 1), 1u);
}

// Equation 6 and the halving, step by step on one page.
TEST_F(EngineTest, MigratesByEquation6AndHalves) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  access(1, 0, 4096, 0, 0);
  access(2, 3, 4096, 0, 0);
  engine.advance(0.1);
  engine.take_actions();
  access(1, 0, 0, 0.1, 0);
  const auto counters = [&] {
    return std::vector<std::uint32_t>{engine.table().counter(1, 0), engine.table().counter(1, 1)};
  };
  EXPECT_EQ(counters(), (std::vector<std::uint32_t>{1, 0}));
  for (int i = 0; i < 3; ++i) access(2, 3, 0, 0.101);
  EXPECT_TRUE(page_moves().empty()) << "3 is not more than 2*1 + 1";
  access(2, 3, 0, 0.102);
  EXPECT_EQ(page_moves(), (std::vector<MovePage>{{{0, 0}, 0, 1}}));
  EXPECT_EQ(counters(), (std::vector<std::uint32_t>{0, 2}));
  access(2, 3, 0, 0.103);
  EXPECT_TRUE(page_moves().empty()) << "it is there already";
}

TEST_F(EngineTest, CallersReportPagesMovedByOthers) {
  access(1, 3, 0, 0, 0);
  engine.advance(0.1);
  for (int i = 0; i < 2; ++i) access(1, 3, 0, 0.11);
  EXPECT_EQ(page_moves().size(), 1u);
  engine.correct({0, 0}, 0);
  for (int i = 0; i < 2; ++i) access(1, 3, 0, 0.12);
  EXPECT_EQ(page_moves().size(), 1u) << "it did not move, and is asked for again";
}

// Figure 5: thread 0 accessed the sub-block, then thread 3: one sharing event in (0, 3).
TEST_F(EngineTest, SharingIsCountedInSubBlocks) {
  for (Tasks::Id task = 0; task < 4; ++task) access(task, 0, 1 << 20, 0);
  engine.sample({0, 0, 100, 0, 0, -1});
  const std::uint64_t before = engine.counts().sharing_events;
  engine.sample({3, 0, 900, 0, 0, -1});
  EXPECT_EQ(engine.counts().sharing_events, before + 1);
  const std::uint32_t shared = engine.matrix()(0, 3);
  engine.sample({1, 0, 1030, 0, 0, -1});
  EXPECT_EQ(engine.counts().sharing_events, before + 1) << "another sub-block of the page";
  engine.sample({0, 0, 100, 0, 0, -1});
  EXPECT_EQ(engine.matrix()(3, 0), shared + 1);
}

// One thread initialized data that others use privately: only the first access of each user is a sharing
// event.
TEST_F(EngineTest, RepeatedAccessesShareNothing) {
  for (std::uint64_t page = 0; page < 10; ++page) access(0, 0, page * 4096, 0);
  for (int round = 0; round < 50; ++round) {
    for (std::uint64_t page = 0; page < 10; ++page)
      access(static_cast<Tasks::Id>(1 + page % 3), static_cast<unsigned>(1 + page % 3), page * 4096, 0);
  }
  EXPECT_EQ(engine.counts().sharing_events, 10u);
}

// 10 has a page of its own; then two pairs swap partners across the nodes.
TEST_F(EngineTest, CountsAreHalvedWhenThreadsChangeNodes) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  unsigned pu_of[4] = {0, 1, 2, 3};
  double now = 0;
  const auto period = [&](unsigned partner) {
    for (unsigned task = 0; task < 4; ++task) {
      for (int i = 0; i < 40; ++i) {
        access(task, pu_of[task], 4096 * (1 + std::min(task, task ^ partner)), now);
        access(task ^ partner, pu_of[task ^ partner], 4096 * (1 + std::min(task, task ^ partner)), now);
      }
    }
    engine.advance(now += 0.1);
    for (const MoveTask& move : task_moves()) pu_of[move.task] = move.pu;
  };
  period(1);
  const int node = static_cast<int>(pu_of[0] / 2);
  for (int i = 0; i < 9; ++i) access(0, pu_of[0], 0, now, node);
  const std::size_t own = *engine.table().find({0, 0});
  EXPECT_EQ(engine.table().counter(own, node), 9u);
  for (int i = 0; i < 20 && engine.counts().tasks_moved == 0; ++i) {
    EXPECT_EQ(engine.table().counter(own, node), 9u);
    period(2);
  }
  EXPECT_GT(engine.counts().tasks_moved, 0u);
  EXPECT_EQ(engine.table().counter(own, node), 4u);
}

// MPI: two processes map the same memory object at different addresses.
TEST_F(EngineTest, ProcessesShareThroughObjects) {
  Objects objects;
  const std::uint64_t one = objects.process(100), other = objects.process(200);
  const std::uint64_t shared = objects.file(5, 77);
  EXPECT_EQ(objects.file(5, 77), shared);
  EXPECT_NE(objects.file(5, 78), shared);
  EXPECT_NE(one, other);
  access(100, 0, 0x7000, 0, -1, one);
  access(200, 1, 0x7000, 0, -1, other);
  EXPECT_EQ(engine.counts().sharing_events, 0u) << "the same address in two processes is not the same memory";
  access(100, 0, 0x10, 0, -1, shared);
  access(200, 1, 0x20, 0, -1, shared);
  EXPECT_EQ(engine.counts().sharing_events, 1u);
}

TEST_F(EngineTest, ThreadsByTheThousandComeAndGo) {
  for (Tasks::Id task = 0; task < 5000; ++task) {
    access(task, static_cast<unsigned>(task % 4), 0, 1e-6 * static_cast<double>(task));
    engine.ended(task);
  }
  EXPECT_LT(engine.matrix().threads(), 200) << "numbers of ended threads are used again";
  EXPECT_TRUE(engine.matrix().empty()) << "ended tasks share with no other";
  engine.advance(1);
  EXPECT_TRUE(engine.take_actions().empty());
}

TEST_F(EngineTest, SamplesFromElsewhereAreCountedAndIgnored) {
  access(1, 1000, 0, 0);
  EXPECT_EQ(engine.counts().unmanaged, 1u);
  EXPECT_EQ(engine.table().entries(), 0u);
}

class DataOnly : public EngineTest {
 protected:
  static Config config() {
    Config config;
    config.map_threads = false;
    return config;
  }
  DataOnly() : EngineTest(config()) {}
};

TEST_F(DataOnly, MovesPagesAndNoThreads) {
  for (int i = 0; i < 3; ++i) access(5, 3, 0, 0, 0);
  EXPECT_TRUE(page_moves().empty());
  access(5, 3, 0, 0.1, 0);
  EXPECT_EQ(page_moves().size(), 1u);
  access(6, 0, 0, 0.3, 0);
  EXPECT_TRUE(task_moves().empty());
}

// A page with saturated counters still follows its user: counters that stayed saturated would hold it.
TEST_F(DataOnly, AFullCounterDoesNotHoldThePageForEver) {
  for (int i = 0; i < 1000; ++i) access(1, 0, 0, 0, 0);
  engine.advance(0.1);
  int needed = 0;
  while (page_moves().empty() && ++needed < 2000) access(1, 3, 0, 0.11, 0);
  EXPECT_LT(needed, 600);
}

class ThreadsOnly : public EngineTest {
 protected:
  static Config config() {
    Config config;
    config.move_pages = false;
    return config;
  }
  ThreadsOnly() : EngineTest(config()) {}
};

TEST_F(ThreadsOnly, MovesNoPages) {
  for (int i = 0; i < 300; ++i) access(5, 3, 0, 0.001 * i, 0);
  EXPECT_TRUE(page_moves().empty());
}

}  // namespace
}  // namespace gable::kmaf
