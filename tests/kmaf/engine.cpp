// The engine on literal samples.

#include "kmaf/engine/engine.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "kmaf/engine/objects.hpp"
#include "machines.hpp"
#include "random.hpp"

namespace gable::kmaf {
namespace {

// Leaves and pus of the small machine: 0 1 | 2 3.
class EngineTest : public testing::Test {
 protected:
  explicit EngineTest(const Config& config = {}) : engine(config, hierarchy_of(test::small())) {}

  void access(Tasks::Id task, unsigned pu, std::uint64_t address, double seconds, int page_node = -1,
              std::uint64_t object = 0) {
    engine.sample({task, object, address, pu, seconds, false, page_node});
  }
  std::vector<MovePage> page_moves() { return take<MovePage>(); }
  std::vector<MoveTask> task_moves() { return take<MoveTask>(); }
  template <typename Kind>
  std::vector<Kind> take() {
    std::vector<Kind> kept;
    for (const Action& action : engine.take_actions()) {
      if (const Kind* found = std::get_if<Kind>(&action)) kept.push_back(*found);
    }
    return kept;
  }
  unsigned sent_to(Tasks::Id task, const std::vector<MoveTask>& moves) {
    for (const MoveTask& move : moves) {
      if (move.task == task) return move.pu;
    }
    return 99;
  }

  Engine engine;
};

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
  engine.sample({0, 0, 100, 0, 0, false, -1});
  const std::uint64_t before = engine.counts().sharing_events;
  engine.sample({3, 0, 900, 0, 0, false, -1});
  EXPECT_EQ(engine.counts().sharing_events, before + 1);
  const std::uint32_t shared = engine.matrix()(0, 3);
  engine.sample({1, 0, 1030, 0, 0, false, -1});
  EXPECT_EQ(engine.counts().sharing_events, before + 1) << "another sub-block of the page";
  engine.sample({0, 0, 100, 0, 0, false, -1});
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

TEST_F(EngineTest, ThreadsThatHardlyShareAreNotMapped) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  access(0, 0, 0, 0);
  access(3, 2, 0, 0);
  for (int i = 0; i < 1000; ++i) access(i % 2 == 0 ? 0 : 3, i % 2 == 0 ? 0 : 2, 8192u * (1 + i % 2), 0);
  engine.advance(0.1);
  EXPECT_EQ(engine.counts().mappings, 1);
  EXPECT_EQ(engine.counts().mappings_calculated, 0) << "one sharing event in a thousand samples";
  EXPECT_TRUE(engine.mapped()) << "pages may move all the same";
}

// Two threads on two nodes share everything. With all data in a node's cache they get two cores of one node;
// when the data outgrow it, a node each, even if they share as before. Without its size, they stay.
TEST_F(EngineTest, FewThreadsShareANodeWhileItsCacheHoldsTheirData) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  std::map<Tasks::Id, unsigned> at = {{1, 0}, {2, 2}};
  double now = 0;
  const auto nodes_after_periods = [&](int periods) {
    for (const double end = now + 0.1 * periods; now < end; now += 0.001) {
      for (const auto& [task, pu] : at) access(task, pu, 0, now);
      for (const MoveTask& move : task_moves()) at[move.task] = move.pu;
    }
    EXPECT_NE(at[1], at[2]);
    return std::pair(at[1] / 2, at[2] / 2);
  };
  const auto [one, other] = nodes_after_periods(20);
  EXPECT_NE(one, other) << "how much memory it uses is not known";
  engine.resident(65536);
  const auto [fits_one, fits_other] = nodes_after_periods(40);
  EXPECT_EQ(fits_one, fits_other);
  engine.resident(65537);
  const auto [grown_one, grown_other] = nodes_after_periods(2);
  EXPECT_NE(grown_one, grown_other);
  const std::uint64_t moved = engine.counts().tasks_moved;
  nodes_after_periods(20);
  EXPECT_EQ(engine.counts().tasks_moved, moved) << "it does not go on moving them";
}

// The paper's machine has 32 cores with two hardware threads. Of 64 threads in order only the first eight
// run: they share four cores, until the engine knows. Nothing is shared.
TEST(Engine, RunningThreadsGetCoresOfTheirOwn) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  Engine engine({}, hierarchy_of(test::x7550()));
  const Hierarchy& hierarchy = engine.hierarchy();
  std::vector<unsigned> at;
  for (const Leaf& leaf : hierarchy.leaves) at.push_back(leaf.pu);
  const auto cores_after = [&](double from, double to, bool times_are_known) {
    for (double now = from; now < to; now += 0.1) {
      for (Tasks::Id task = 0; task < 64; ++task) {
        engine.sample({task, 0, static_cast<std::uint64_t>(task) << 20, at[static_cast<std::size_t>(task)],
                       now, false, -1});
        if (times_are_known) engine.ran(task, task < 8 ? 0.1 : 0.001);
      }
      for (const Action& action : engine.take_actions()) {
        if (const auto* move = std::get_if<MoveTask>(&action))
          at[static_cast<std::size_t>(move->task)] = move->pu;
      }
    }
    std::set<int> cores;
    for (std::size_t task = 0; task < 8; ++task)
      cores.insert(hierarchy.leaves[static_cast<std::size_t>(*hierarchy.leaf_of_pu(at[task]))].core);
    EXPECT_EQ(std::set<unsigned>(at.begin(), at.end()).size(), 64u) << "two threads on a hardware thread";
    return cores.size();
  };
  EXPECT_EQ(cores_after(0, 3, false), 4u) << "all may run";
  EXPECT_EQ(cores_after(3, 4, true), 4u) << "not at once";
  EXPECT_EQ(cores_after(4, 6, true), 8u);
}

// After the first one, a mapping must pay off for the sharing after its calculation.
TEST_F(EngineTest, ALaterMappingIsJudgedByWhatComesNext) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  double now = 0;
  const auto period = [&](bool swapped) {
    for (int i = 0; i < 40; ++i) {
      // Pairs 0-1 and 2-3, or 0-2 and 1-3; each thread runs where the engine or the start placed it.
      for (Tasks::Id task : {0, 1, 2, 3}) {
        const bool first = swapped ? task % 2 == 0 : task < 2;
        access(task, static_cast<unsigned>(task), first ? 0 : 4096, now);
      }
    }
    now += 0.1;
    engine.advance(now + 1e-6);
  };
  period(false);
  EXPECT_EQ(engine.counts().mappings_adopted, 0) << "they are together already";
  period(true);
  period(false);
  const int after_a_moment = engine.counts().mappings_adopted;
  for (int i = 0; i < 6; ++i) period(true);
  EXPECT_EQ(after_a_moment, 0) << "what lasted a moment is not followed";
  EXPECT_GE(engine.counts().mappings_adopted, 1) << "what lasts is";
}

// Where all share alike, every sample of it seems to prefer some mapping. None is better than chance.
TEST(Engine, EvenSharingDoesNotMoveThreadsAgainAndAgain) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  Engine engine({}, hierarchy_of(test::x7550()));
  test::Random random(5);
  std::vector<unsigned> pus(64);
  for (unsigned task = 0; task < 64; ++task) pus[task] = task;
  for (int period = 0; period < 100; ++period) {
    const double now = 0.1 * period;
    for (int i = 0; i < 600; ++i) {
      const std::uint64_t block = random.below(4096);
      for (int pair = 0; pair < 2; ++pair) {
        const std::uint64_t task = random.below(64);
        engine.sample({static_cast<Tasks::Id>(task), 0, block << 10, pus[task], now, true, 0});
      }
    }
    for (const Action& action : engine.take_actions()) {
      if (const auto* move = std::get_if<MoveTask>(&action))
        pus[static_cast<std::size_t>(move->task)] = move->pu;
    }
  }
  EXPECT_LE(engine.counts().mappings_adopted, 2);
  EXPECT_LE(engine.counts().tasks_moved, 2u * 64);
  EXPECT_GT(engine.counts().mappings_calculated, 2);
}

TEST_F(EngineTest, ThreadsThatShareComeTogether) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  // 10 with 12, 11 with 13, on different nodes.
  for (int i = 0; i < 50; ++i) {
    const double now = 0.001 * i;
    access(10, 0, 0, now);
    access(12, 2, 8, now);
    access(11, 1, 4096, now);
    access(13, 3, 4104, now);
  }
  engine.advance(0.1);
  const auto moves = task_moves();
  ASSERT_EQ(moves.size(), 4u);
  EXPECT_EQ(sent_to(10, moves) / 2, sent_to(12, moves) / 2);
  EXPECT_EQ(sent_to(11, moves) / 2, sent_to(13, moves) / 2);
  EXPECT_EQ(
      std::set<unsigned>({sent_to(10, moves), sent_to(11, moves), sent_to(12, moves), sent_to(13, moves)})
          .size(),
      4u);
  EXPECT_EQ(engine.counts().tasks_moved, 2u) << "two stay where they are";
  EXPECT_EQ(engine.counts().mappings_adopted, 1);
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

// Two threads that the program has bound to one hardware thread, and one that it has not.
TEST_F(EngineTest, BoundTasksAreLeftAlone) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  double now = 0;
  const auto period = [&] {
    for (int i = 0; i < 3; ++i) {
      for (Tasks::Id task : {1, 2}) access(task, 0, 4096u * static_cast<unsigned>(task), now, 0);
      access(3, 3, 0, now, 1);
    }
    engine.advance(now += 0.1);
    const std::vector<MoveTask> moves = task_moves();
    for (const MoveTask& move : moves) {
      if (move.task != 3) engine.refused(move.task);
    }
    return moves;
  };
  EXPECT_EQ(period().size(), 3u);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(period().empty());
  EXPECT_EQ(engine.table().counter(*engine.table().find({0, 1}), 0), 12u) << "their accesses count";
  engine.ended(1);
  access(1, 0, 4096, now, 0);  // another one
  EXPECT_FALSE(period().empty()) << "of which nothing is known yet";
}

TEST_F(EngineTest, AMappingThatHardlyPaysIsNotAdopted) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  const auto share = [&](Tasks::Id one, unsigned pu, Tasks::Id other, unsigned other_pu, int times,
                         std::uint64_t page) {
    for (int i = 0; i < times; ++i) {
      access(one, pu, page * 4096, 0);
      access(other, other_pu, page * 4096, 0);
    }
  };
  // 0-2 and 1-3 share 102 or so, 0-1 and 2-3 share 100: the present mapping costs less than 1/0.95 of the
  // best.
  share(0, 0, 1, 1, 100, 0);
  share(2, 2, 3, 3, 100, 1);
  share(0, 0, 2, 2, 102, 2);
  share(1, 1, 3, 3, 102, 3);
  engine.advance(0.1);
  EXPECT_EQ(engine.counts().mappings, 1);
  EXPECT_EQ(engine.counts().mappings_adopted, 0);
  EXPECT_EQ(engine.counts().tasks_moved, 0u);
}

TEST_F(EngineTest, MapsEveryPeriodAndAges) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  for (int i = 0; i < 51; ++i) {
    access(0, 0, 0, 0);
    access(1, 1, 0, 0);
  }
  EXPECT_EQ(engine.matrix()(0, 1), 101u);
  engine.advance(0.1);
  EXPECT_EQ(engine.matrix()(0, 1), 76u);
  engine.advance(0.15);
  EXPECT_EQ(engine.matrix()(0, 1), 76u);
  engine.advance(0.2);
  EXPECT_EQ(engine.matrix()(0, 1), 57u);
  engine.advance(5.05);
  EXPECT_EQ(engine.counts().mappings, 3) << "periods that were slept through are not made up for";
  engine.advance(5.1001);
  EXPECT_EQ(engine.counts().mappings, 4);
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
