// The part of a program's time in which a cluster was at work: simulated threads whose work is known.

#include "points/activity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gable::points {
namespace {

constexpr double step = 0.001;  // seconds in which a simulated thread works or not

struct SimulatedThread {
  unsigned cpu = 0;
  std::vector<char> works;  // in each step
  double waits = 0;         // part of its work for which it waits for a CPU
  int begin = 0, end = -1;  // steps of its life; -1: until the program ends
};

struct Watching {
  int every = 20;   // steps between two looks
  double tick = 0;  // by which the kernel updates CPU times; 0: always
  int offset = 0;   // steps before the first look
};

// Two clusters with two CPUs each, whose threads work as given.
class SimulatedProgram {
 public:
  SimulatedThread& thread(unsigned cpu, double seconds) {
    threads_.push_back({cpu, std::vector<char>(steps_of(seconds)), 0, 0, -1});
    return threads_.back();
  }

  // A thread at work from `from` to `to` seconds of each `period`.
  SimulatedThread& thread(unsigned cpu, double seconds, double from, double to, double period) {
    SimulatedThread& made = thread(cpu, seconds);
    for (std::size_t i = 0; i < made.works.size(); ++i) {
      const double at = std::fmod((static_cast<double>(i) + 0.5) * step, period);
      made.works[i] = at >= from && at < to;
    }
    return made;
  }

  ActiveShares watched(const Watching& how) const {
    Activity activity(two_clusters(), 0);
    const int steps = static_cast<int>(threads_.front().works.size());
    for (int now = how.offset; now < steps; now += how.every) activity.look(at(now, how), now * step);
    return activity.shares(steps * step);
  }

  // The share by definition, step by step.
  double share(unsigned cluster) const {
    const std::size_t steps = threads_.front().works.size();
    double seconds = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      bool own = false, others = false;
      for (const SimulatedThread& thread : threads_) {
        if (thread.works[i]) (thread.cpu / 2 == cluster ? own : others) = true;
      }
      if (own || !others) seconds += step;
    }
    return seconds / (static_cast<double>(steps) * step);
  }

  static std::vector<machines::Cluster> two_clusters() {
    std::vector<machines::Cluster> clusters(2);
    for (unsigned cpu = 0; cpu < 4; ++cpu) clusters[cpu / 2].cores.push_back({{cpu}});
    clusters[1].index = 1;
    return clusters;
  }

 private:
  static std::size_t steps_of(double seconds) {
    return static_cast<std::size_t>(std::lround(seconds / step));
  }

  std::vector<ThreadTimes> at(int now, const Watching& how) const {
    std::vector<ThreadTimes> times;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const SimulatedThread& thread = threads_[i];
      if (now < thread.begin || (thread.end >= 0 && now >= thread.end)) continue;
      double seconds = 0;
      for (int j = 0; j < now; ++j) seconds += thread.works[static_cast<std::size_t>(j)] ? step : 0;
      double running = seconds * (1 - thread.waits);
      const bool runs = now > 0 && thread.works[static_cast<std::size_t>(now - 1)];
      if (how.tick > 0 && runs) running = std::floor(running / how.tick) * how.tick;
      times.push_back({static_cast<int>(i) + 100, thread.cpu, running, seconds * thread.waits, now * step});
    }
    return times;
  }

  std::vector<SimulatedThread> threads_;
};

void expect_shares(const ActiveShares& shares, double first, double second, double within) {
  ASSERT_EQ(shares.by_cluster.size(), 2u) << shares.reason;
  const auto& [a, b] = std::pair(shares.by_cluster.at(0), shares.by_cluster.at(1));
  EXPECT_NEAR(a.value, first, within);
  EXPECT_NEAR(b.value, second, within);
  for (const ActiveShare& each : {a, b}) {
    EXPECT_LE(each.lo, each.value);
    EXPECT_LE(each.value, each.hi);
  }
}

TEST(Activity, OneClusterHasTheWholeTime) {
  SimulatedProgram program;
  program.thread(0, 3, 0, 0.3, 0.5);  // waits at times
  program.thread(1, 3, 0.1, 0.2, 0.3);
  const ActiveShare share = program.watched({}).by_cluster.at(0);
  EXPECT_EQ(share.value, 1);
  EXPECT_EQ(share.lo, 1);
  EXPECT_EQ(share.hi, 1);
}

TEST(Activity, BothAllTheTimeHaveTheWholeTime) {
  SimulatedProgram program;
  for (const unsigned cpu : {0u, 1u, 2u, 3u}) program.thread(cpu, 3, 0, 3, 3);
  expect_shares(program.watched({}), 1, 1, 1e-9);
  EXPECT_GT(program.watched({}).by_cluster.at(0).lo, 0.99);
}

TEST(Activity, InTurnsEachHasItsOwnHalf) {
  SimulatedProgram program;
  for (const unsigned cpu : {0u, 1u}) program.thread(cpu, 4, 0, 0.5, 1);
  for (const unsigned cpu : {2u, 3u}) program.thread(cpu, 4, 0.5, 1, 1);
  expect_shares(program.watched({}), 0.5, 0.5, 0.01);  // the time after the last look is not known
  expect_shares(program.watched({30, 0.004, 7}), 0.5, 0.5, 0.02);
}

// 2 s and 6 s of 10 s; the last 4 s are nobody's.
TEST(Activity, WaitingBelongsToAll) {
  SimulatedProgram program;
  program.thread(0, 10, 0, 2, 10);
  program.thread(2, 10, 0, 6, 10);
  expect_shares(program.watched({}), 0.6, 1, 0.01);
}

TEST(Activity, WhoWaitsForACpuIsAtWork) {
  SimulatedProgram program;
  program.thread(0, 3, 0, 3, 3).waits = 0.7;
  program.thread(2, 3, 0, 3, 3);
  expect_shares(program.watched({}), 1, 1, 1e-9);
}

// Half of each 10 ms, together or in turns: the looks, which see 5 ms of both, cannot tell.
TEST(Activity, QuickTurnsAreDoubtful) {
  SimulatedProgram together, in_turns;
  together.thread(0, 3, 0, 0.005, 0.01);
  together.thread(2, 3, 0, 0.005, 0.01);
  in_turns.thread(0, 3, 0, 0.005, 0.01);
  in_turns.thread(2, 3, 0.005, 0.01, 0.01);
  for (const SimulatedProgram& program : {together, in_turns}) {
    const ActiveShare share = program.watched({}).by_cluster.at(0);
    EXPECT_NEAR(share.lo, 0.5, 0.01);
    EXPECT_NEAR(share.hi, 1, 0.01);
  }
  EXPECT_NEAR(together.share(0), 1, 1e-9);
  EXPECT_NEAR(in_turns.share(0), 0.5, 1e-9);
}

TEST(Activity, ThreadsThatEndAndBeginAreFollowed) {
  SimulatedProgram program;
  program.thread(0, 4, 0, 1, 4).end = 1000;
  program.thread(2, 4, 1, 3, 4).begin = 1000;
  SimulatedThread& later = program.thread(1, 4, 3, 4, 4);
  later.begin = 3000;
  expect_shares(program.watched({20, 0, 0}), 0.5, 0.5, 0.01);
  expect_shares(program.watched({20, 0.004, 13}), 0.5, 0.5, 0.02);
}

TEST(Activity, TicksDoNotHideWork) {
  for (const double tick : {0.001, 0.004, 0.01}) {
    SimulatedProgram program;
    program.thread(0, 5, 0, 5, 5);
    program.thread(2, 5, 0, 5, 5);
    for (const int every : {20, 23, 27}) expect_shares(program.watched({every, tick, 3}), 1, 1, 0.01);
  }
}

TEST(Activity, CpuTimesThatAreTooOldAreRefused) {
  SimulatedProgram program;
  program.thread(0, 5, 0, 5, 5);
  program.thread(2, 5, 0, 5, 5);
  const ActiveShares shares = program.watched({20, 1, 0});
  EXPECT_TRUE(shares.by_cluster.empty());
  EXPECT_NE(shares.reason.find("nohz_full"), std::string::npos);
  expect_shares(program.watched({1000, 1, 0}), 1, 1, 0.01);
}

TEST(Activity, NothingSeenIsNotKnown) {
  Activity activity(SimulatedProgram::two_clusters(), 0);
  activity.look({}, 1);
  EXPECT_TRUE(activity.shares(2).by_cluster.empty());
  EXPECT_FALSE(activity.shares(2).reason.empty());
}

// Time before the program starts and after it ended is not the program's.
TEST(Activity, OnlyTheProgramsTimeCounts) {
  Activity activity(SimulatedProgram::two_clusters(), 0);
  activity.look({}, 5);
  activity.look({{7, 0, 0, 0, 5.0}}, 5);
  activity.look({{7, 0, 1, 0, 6.0}, {8, 2, 0, 0, 6.0}}, 6);
  activity.look({{7, 0, 1, 0, 7.0}, {8, 2, 1, 0, 7.0}}, 7);
  expect_shares(activity.shares(7), 0.5, 0.5, 1e-9);
  activity.look({}, 7);
  expect_shares(activity.shares(90), 0.5, 0.5, 1e-9);
}

// Whatever the threads do, the bounds hold what is true.
TEST(Activity, BoundsHoldTheShareByDefinition) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 40; ++trial) {
    SimulatedProgram program;
    const std::size_t count = 2 + random() % 4;
    for (std::size_t i = 0; i < count; ++i) {
      SimulatedThread& thread = program.thread(static_cast<unsigned>(random() % 4), 2);
      const unsigned longest = 1 + random() % 300;
      for (std::size_t at = 0; at < thread.works.size();) {
        const bool works = random() % 2 == 0;
        for (std::size_t end = at + 1 + random() % longest; at < end && at < thread.works.size(); ++at)
          thread.works[at] = works;
      }
    }
    const ActiveShares shares = program.watched({1 + static_cast<int>(random() % 100), 0, 0});
    for (const unsigned cluster : {0u, 1u}) {
      const ActiveShare& share = shares.by_cluster.at(static_cast<int>(cluster));
      EXPECT_GE(program.share(cluster), share.lo - 1e-9);
      EXPECT_LE(program.share(cluster), share.hi + 1e-9);
    }
  }
}

}  // namespace
}  // namespace gable::points
