// The team: jobs run on their CPUs, exceptions are propagated, and nothing hangs.

#include "bench/threads/team.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <stdexcept>

#include "bench/threads/crew.hpp"
#include "bench/visit/watch.hpp"
#include "machines.hpp"

namespace {

using gable::Error;
using gable::bench::Barrier;
using gable::bench::Crew;
using gable::bench::Team;

std::vector<unsigned> all_pus() {
  return gable::bench::pus_of(gable::machines::this_machine().clusters.at(0), 0, true);
}

TEST(Team, JobsRunOnTheirCpus) {
  Team team;
  const std::vector<unsigned> all = all_pus();
  std::vector<int> ran(all.size(), -1);
  team.run(all, [&](std::size_t i) { ran[i] = sched_getcpu(); });
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(ran[i], static_cast<int>(all[i]));
}

TEST(Team, AThreadThatWasMovedComesBack) {
  const std::vector<unsigned> all = all_pus();
  if (all.size() < 2) GTEST_SKIP() << "one CPU: nowhere to move a thread to";
  Team team;
  team.run({all[0]}, [&](std::size_t) {
    cpu_set_t other;
    CPU_ZERO(&other);
    CPU_SET(all[1], &other);
    sched_setaffinity(0, sizeof other, &other);
  });
  int ran = -1;
  team.run({all[0]}, [&](std::size_t) { ran = sched_getcpu(); });
  EXPECT_EQ(ran, static_cast<int>(all[0]));
}

TEST(Team, WhatAJobThrowsArrives) {
  Team team;
  const std::vector<unsigned> all = all_pus();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(team.run(all, [](std::size_t) { throw std::runtime_error("no"); }), std::runtime_error);
    int done = 0;
    team.run({all[0]}, [&](std::size_t) { ++done; });
    EXPECT_EQ(done, 1);
  }
}

TEST(Crew, LeavesABarrierThatOneNeverReaches) {
  const std::vector<unsigned> all = all_pus();
  if (all.size() < 2) GTEST_SKIP() << "one CPU";
  Team team;
  Crew crew(team, all);
  for (std::size_t missing = 0; missing < crew.threads(); ++missing) {
    Barrier barrier(crew);
    EXPECT_THROW(crew.run([&](std::size_t thread) {
      barrier.wait();
      if (thread == missing) throw std::bad_alloc();
      barrier.wait();
      ADD_FAILURE();
    }),
                 std::bad_alloc);
  }
  Barrier barrier(crew);
  std::atomic<int> passed = 0;
  crew.run([&](std::size_t) {
    barrier.wait();
    ++passed;
  });
  EXPECT_EQ(passed, static_cast<int>(crew.threads()));
}

TEST(Team, ACpuThatIsNotThereIsAPinError) {
  Team team;
  const unsigned here = all_pus().front();
  bool ran = false;
  for (int i = 0; i < 2; ++i) {
    try {
      team.run({here, 100'000}, [&](std::size_t) { ran = true; });
      FAIL() << "ran on CPU 100000";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("100000"), std::string::npos) << error.what();
    }
  }
  EXPECT_FALSE(ran) << "a job started although another could not";
  team.run({here}, [&](std::size_t) { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(Team, RunsHundredsOfTimes) {
  Team team;
  const std::vector<unsigned> all = all_pus();
  std::vector<int> done(all.size(), 0);
  for (int i = 0; i < 200; ++i) {
    Crew crew(team, all);
    Barrier start(crew, true);
    crew.run([&](std::size_t j) {
      start.wait();
      ++done[j];
    });
  }
  for (const int each : done) EXPECT_EQ(each, 200);
}

TEST(Watch, TimesOnlyGrow) {
  auto before = gable::bench::cpu_times();
  EXPECT_GE(before.cpus, 1);
  for (int i = 0; i < 50; ++i) {
    const auto after = gable::bench::cpu_times();
    EXPECT_GE(after.wall, before.wall);
    EXPECT_GE(after.busy, before.busy);  // and not the steal: some hypervisors take time back
    EXPECT_GE(after.own, before.own);
    before = after;
  }
}

TEST(Watch, OthersAreWhatThisProcessIsNot) {
  const gable::bench::CpuTimes before{.wall = 10, .busy = 100, .steal = 1, .own = 5, .cpus = 4};
  gable::bench::CpuTimes after{.wall = 12, .busy = 106, .steal = 1.4, .own = 9, .cpus = 4};
  const auto disturbance = gable::bench::disturbance_between(before, after, 2);
  EXPECT_NEAR(disturbance.others, 1, 1e-9);
  EXPECT_NEAR(disturbance.steal_percent, 10, 1e-9);
  after.busy = 102;  // the accounting is coarse: this process may have used more than it shows
  EXPECT_EQ(gable::bench::disturbance_between(before, after, 2).others, 0);
  EXPECT_EQ(gable::bench::disturbance_between(before, before, 2).others, 0);
  after.steal = 0.9;  // some hypervisors take time back
  EXPECT_EQ(gable::bench::disturbance_between(before, after, 2).steal_percent, 0);
}

// A child that was waited for is this process's own doing, as those that measure fork and context switches.
TEST(Watch, ChildrenAreNoOthers) {
  const auto before = gable::bench::cpu_times();
  const pid_t child = fork();
  if (child == 0) {
    while (static_cast<double>(clock()) / CLOCKS_PER_SEC < 0.3) {
    }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_GE(gable::bench::cpu_times().own - before.own, 0.29);
}

TEST(Watch, LargeMachinesTolerateMore) {
  EXPECT_GT(gable::bench::tolerated_others(1), 0);
  EXPECT_GT(gable::bench::tolerated_others(256), gable::bench::tolerated_others(2));
}

}  // namespace
