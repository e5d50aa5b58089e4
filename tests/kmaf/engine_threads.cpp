// The engine on literal samples: where it puts threads.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine_test.hpp"
#include "machines.hpp"
#include "random.hpp"

namespace gable::kmaf {
namespace {

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
        engine.sample(
            {task, 0, static_cast<std::uint64_t>(task) << 20, at[static_cast<std::size_t>(task)], now, -1});
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
        engine.sample({static_cast<Tasks::Id>(task), 0, block << 10, pus[task], now, 0});
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

}  // namespace
}  // namespace gable::kmaf
