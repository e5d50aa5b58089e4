// How many threads worked at once: simulated threads that work or wait.

#include "points/workers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace gable::points {
namespace {

struct WorkingThread {
  int tid = 0;
  double begin = 0, end = 0;  // seconds of its life
  double works = 0;           // part of it in which it is at work
  double start = 0;           // CPU seconds of its start, at once
  double waits = 0;           // part in which it waits for a CPU
  std::vector<unsigned> allowed = {};
};

// Four CPUs are two cores.
AtOnce at_once(const std::vector<WorkingThread>& threads) {
  Workers workers({{0, 0}, {1, 0}, {2, 1}, {3, 1}});
  for (double now = 0.005; now < 10; now += 0.1) {
    std::vector<ThreadTimes> seen;
    for (const WorkingThread& thread : threads) {
      if (now < thread.begin || now > thread.end) continue;
      ThreadTimes times;
      times.tid = thread.tid;
      times.running = thread.start + thread.works * (now - thread.begin);
      times.waiting = thread.waits * (now - thread.begin);
      times.at = now;
      times.allowed = thread.allowed;
      seen.push_back(times);
    }
    workers.look(seen, now);
  }
  return workers.most();
}

int workers(const std::vector<WorkingThread>& threads) {
  return at_once(threads).threads;
}

TEST(Workers, AShellThatWaitsIsNone) {
  EXPECT_EQ(workers({{1, 0, 10, 0.001, 0.02}, {2, 1, 9, 0.99, 0}}), 1);
  EXPECT_EQ(workers({{1, 0, 10, 0.001, 0.02}, {2, 1, 9, 0.99, 0}, {3, 1, 9, 0.2, 0}}), 2);
}

TEST(Workers, ThreadsOneAfterAnotherAreOne) {
  EXPECT_EQ(workers({{1, 0, 3, 1, 0}, {2, 3.05, 6, 1, 0}, {3, 6.05, 10, 1, 0}}), 1);
  EXPECT_EQ(workers({{1, 0, 3, 1, 0}, {2, 2, 6, 1, 0}}), 2);
}

// A program that waits for its child and then works itself, and a pool whose threads take turns.
TEST(Workers, ThreadsThatLiveTogetherAndWorkInTurnAreOne) {
  Workers waiting, pool;
  for (int look = 0; look <= 100; ++look) {
    const double now = 0.1 * look, half = 5.05;
    const auto thread = [&](int tid, double running) { return ThreadTimes{tid, 0, running, 0, now, {}}; };
    std::vector<ThreadTimes> seen = {thread(1, std::max(0.0, now - half))};
    if (now < half) seen.push_back(thread(2, now));
    waiting.look(seen, now);
    pool.look({thread(1, std::min(now, half)), thread(2, std::max(0.0, now - half)),
               thread(3, std::min(now, half)), thread(4, std::max(0.0, now - half))},
              now);
  }
  EXPECT_EQ(waiting.most().threads, 1);
  EXPECT_EQ(pool.most().threads, 2) << "two at a time";
}

TEST(Workers, ThreadsOfABarrierWorkAtOnceThoughTheyWait) {
  EXPECT_EQ(workers({{1, 0, 10, 1, 0}, {2, 0, 10, 0.4, 0}, {3, 0, 10, 0.4, 0}, {4, 0, 10, 0.3, 0}}), 4);
  EXPECT_EQ(workers({{1, 0, 10, 0.7, 0}, {2, 0, 10, 0.7, 0}, {3, 0, 10, 0.7, 0}}), 3);
}

// Two threads that are bound to the hardware threads of one core, or to one of these.
TEST(Workers, BoundThreadsShareACore) {
  const WorkingThread half = {1, 0, 10, 0.5, 0, 0.5, {0}};
  WorkingThread other = half;
  other.tid = 2;
  EXPECT_EQ(at_once({half, other}).threads, 2);
  EXPECT_EQ(at_once({half, other}).cores, 1);
  other.allowed = {1};
  EXPECT_EQ(at_once({half, other}).cores, 1);
  other.allowed = {0, 1, 2, 3};
  EXPECT_EQ(at_once({half, other}).cores, 2);
  EXPECT_EQ(at_once({half, other, {3, 0, 10, 0.5, 0, 0.5, {2, 3}}}).cores, 2);
  other.allowed = {};
  EXPECT_EQ(at_once({half, other}).cores, 0) << "not known";
}

TEST(Workers, ThreadsThatAreNotBoundHaveTheirOwnCores) {
  EXPECT_EQ(most_on_cores({{0, 1, 2}, {0}, {0, 1}}), 3);
  EXPECT_EQ(most_on_cores({{0}, {0}, {1, 0}}), 2);
  EXPECT_EQ(most_on_cores({{}}), 0);
}

TEST(Workers, AShortProgramIsOneLook) {
  Workers workers;
  const auto thread = [](int tid, double running, double at) {
    return ThreadTimes{tid, 0, running, 0, at, {}};
  };
  workers.look({thread(1, 0, 0), thread(2, 0, 0)}, 0);
  workers.look({thread(1, 0.015, 0.015), thread(2, 0.015, 0.015)}, 0.015);
  workers.look({}, 0.016);
  EXPECT_EQ(workers.most().threads, 2);
}

TEST(Workers, AnIdIsUsedAgain) {
  EXPECT_EQ(workers({{1, 0, 3, 1, 0}, {1, 3.05, 10, 0.001, 0}, {2, 5, 10, 1, 0}}), 1);
}

TEST(Workers, SmallProgramsOfAScriptAreNone) {
  EXPECT_EQ(workers({{1, 0, 10, 0.95, 0}, {2, 1, 1.3, 1, 0}, {3, 1.1, 1.2, 1, 0}}), 1);
}

// A collector of garbage beside a program of one thread, and eight threads at once for a moment.
TEST(Workers, ThreadsThatAddLittleAreNone) {
  EXPECT_EQ(workers({{1, 0, 10, 1, 0}, {2, 2, 2.5, 1, 0}}), 1);
  EXPECT_EQ(workers({{1, 0, 10, 1, 0}, {2, 2, 4, 1, 0}}), 2);
  std::vector<WorkingThread> threads = {{1, 0, 10, 1, 0}};
  for (int i = 2; i <= 8; ++i) threads.push_back({i, 2, 2.4, 1, 0});
  EXPECT_EQ(workers(threads), 8) << "they do a quarter of its work";
}

TEST(Workers, ThreadsThatLiveShortlyWorkTogether) {
  std::vector<WorkingThread> threads = {{1, 0, 10, 0.95, 0}};
  for (int i = 0; i < 40; ++i) {
    const double begin = 2 + 0.2 * (i / 4);
    threads.push_back({2 + i, begin, begin + 0.15, 1, 0});
  }
  EXPECT_EQ(workers(threads), 5);
}

// A program of one thread, and the shell that started it, on a machine that leaves them little CPU time.
TEST(Workers, AShellIsNoneWhereTheProgramHardlyRuns) {
  for (const double works : {0.03, 0.01, 0.002})
    EXPECT_EQ(workers({{1, 0, 10, 0, 0.0005}, {2, 0.1, 9.9, works, 0}}), 1) << works;
}

TEST(Workers, OfThreadsThatOnlyWaitOneCounts) {
  EXPECT_EQ(workers({{1, 0, 10, 0, 0}, {2, 0, 10, 0, 0}}), 1);
  EXPECT_EQ(Workers().most().threads, 0);
}

}  // namespace
}  // namespace gable::points
