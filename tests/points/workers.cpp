// How many threads worked at once: simulated threads that work or wait.

#include "points/workers.hpp"

#include <gtest/gtest.h>

namespace gable::points {
namespace {

struct WorkingThread {
  int tid = 0;
  double begin = 0, end = 0;  // seconds of its life
  double works = 0;           // part of it in which it is at work
  double start = 0;           // CPU seconds of its start, at once
};

int workers(const std::vector<WorkingThread>& threads) {
  Workers workers;
  for (double now = 0.005; now < 10; now += 0.1) {
    std::vector<ThreadTimes> seen;
    for (const WorkingThread& thread : threads) {
      if (now < thread.begin || now > thread.end) continue;
      ThreadTimes times;
      times.tid = thread.tid;
      times.running = thread.start + thread.works * (now - thread.begin);
      seen.push_back(times);
    }
    workers.look(seen, now);
  }
  return workers.most();
}

TEST(Workers, AShellThatWaitsIsNone) {
  EXPECT_EQ(workers({{1, 0, 10, 0.001, 0.02}, {2, 1, 9, 0.99, 0}}), 1);
  EXPECT_EQ(workers({{1, 0, 10, 0.001, 0.02}, {2, 1, 9, 0.99, 0}, {3, 1, 9, 0.2, 0}}), 2);
}

TEST(Workers, ThreadsOneAfterAnotherAreOne) {
  EXPECT_EQ(workers({{1, 0, 3, 1, 0}, {2, 3.05, 6, 1, 0}, {3, 6.05, 10, 1, 0}}), 1);
  EXPECT_EQ(workers({{1, 0, 3, 1, 0}, {2, 2.9, 6, 1, 0}}), 2);
}

TEST(Workers, AnIdIsUsedAgain) {
  EXPECT_EQ(workers({{1, 0, 3, 1, 0}, {1, 3.05, 10, 0.001, 0}, {2, 5, 10, 1, 0}}), 1);
}

TEST(Workers, SmallProgramsOfAScriptAreNone) {
  EXPECT_EQ(workers({{1, 0, 10, 0.95, 0}, {2, 1, 1.3, 1, 0}, {3, 1.1, 1.2, 1, 0}}), 1);
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

TEST(Workers, WhereAllWaitAllCount) {
  EXPECT_EQ(workers({{1, 0, 10, 0, 0}, {2, 0, 10, 0, 0}}), 2);
  EXPECT_EQ(Workers().most(), 0);
}

}  // namespace
}  // namespace gable::points
