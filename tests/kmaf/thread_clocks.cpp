// Clocks of threads that wait for each other, and room on a busy link.

#include "kmaf/replay/trace/thread_clocks.hpp"

#include <gtest/gtest.h>

#include "kmaf/replay/machine/memory_system.hpp"
#include "tests/kmaf/random.hpp"

namespace gable::kmaf {
namespace {

class ThreadClocksTest : public testing::Test {
 protected:
  void at(int thread, double time) {
    clocks.resume(thread);
    clocks.set(thread, time);
  }
  void event(int thread, Event event, std::uint32_t object = 0) {
    Record record;
    record.thread = static_cast<std::uint16_t>(thread);
    record.event = event;
    record.page = object;
    clocks.resume(thread);
    clocks.take(record);
  }

  ThreadClocks clocks{3, 2};
};

// The trace's last thread is the first in simulated time: it waits all the same.
TEST_F(ThreadClocksTest, ABarrierEndsForAllWithTheLast) {
  at(0, 70);
  event(0, Event::wait);
  at(1, 90);
  event(1, Event::wait);
  EXPECT_FALSE(clocks.runs(0));
  at(2, 10);
  event(2, Event::wake_all);
  for (int thread = 0; thread < 3; ++thread) {
    EXPECT_EQ(clocks.of(thread), 90) << thread;
    EXPECT_EQ(clocks.resume(thread), thread < 2);
  }
}

// Who gives a lock or a signal does not wait for who gets it.
TEST_F(ThreadClocksTest, ALockIsPassedOn) {
  at(0, 70);
  event(0, Event::wait);
  at(1, 20);
  event(1, Event::wait);
  at(2, 50);
  event(2, Event::wake_one);
  EXPECT_EQ(clocks.of(0), 70) << "free before it asked";
  EXPECT_EQ(clocks.of(2), 50);
  event(2, Event::wake_one);
  EXPECT_EQ(clocks.of(1), 50);
  event(0, Event::wait_for, 1);
  event(2, Event::wake_all, 1);
  EXPECT_EQ(clocks.of(2), 50) << "a broadcast";
}

TEST_F(ThreadClocksTest, WhoComesTooLateGoesOnAfterTheWake) {
  at(2, 50);
  event(2, Event::wake_all);
  at(0, 30);
  event(0, Event::wait);
  EXPECT_TRUE(clocks.resume(0));
  EXPECT_EQ(clocks.of(0), 50);
  // Nobody wakes who waits for the end of a thread.
  at(1, 80);
  event(1, Event::end);
  event(0, Event::wait_for, 1);
  clocks.resume(0);
  EXPECT_EQ(clocks.of(0), 80);
}

TEST_F(ThreadClocksTest, AThreadStartsWhenItsPredecessorRuns) {
  at(0, 40);
  clocks.resume(1);
  EXPECT_EQ(clocks.of(1), 40);
  EXPECT_EQ(clocks.mean(), 40);
  clocks.restart();
  EXPECT_EQ(clocks.latest(), 0);
  EXPECT_FALSE(clocks.runs(0));
}

// Three threads hold a lock for 10 ns each. Whether they ask at once or one after another, and in whichever
// order the trace has them, nobody waits longer than needed, even if the trace has a wait for it.
TEST_F(ThreadClocksTest, ALockIsHeldByOneThreadAtATime) {
  const auto section = [&](int thread, double time, bool waits) {
    at(thread, time);
    event(thread, Event::lock);
    if (waits) event(thread, Event::wait);
    EXPECT_TRUE(clocks.runs(thread));
    at(thread, time + 10);
    event(thread, Event::unlock);
    return clocks.of(thread);
  };
  EXPECT_EQ(section(0, 100, false), 110);
  EXPECT_EQ(section(1, 50, true), 60) << "it was free then";
  EXPECT_EQ(section(2, 95, true), 120) << "the gap before 100 is too short";
  EXPECT_EQ(section(1, 104, false), 130);
  EXPECT_EQ(section(0, 500, true), 510);
  clocks.restart();
  EXPECT_EQ(section(2, 100, false), 110) << "another pass";
}

TEST_F(ThreadClocksTest, ALockIsGivenUpWhileItsThreadWaitsForACondition) {
  at(0, 10);
  event(0, Event::lock);
  event(0, Event::lock);  // again, as a recursive one
  event(0, Event::wait_for, 1);
  at(1, 40);
  event(1, Event::lock);
  at(1, 60);
  event(1, Event::unlock);
  EXPECT_EQ(clocks.of(1), 60);
  event(1, Event::wake_one, 1);
  at(0, 65);
  event(0, Event::unlock);
  at(0, 70);
  event(0, Event::unlock);
  EXPECT_EQ(clocks.of(0), 70);
  event(2, Event::unlock);  // it began before the trace
  at(2, 62);
  event(2, Event::lock);
  at(2, 63);
  event(2, Event::unlock);
  EXPECT_EQ(clocks.of(2), 71) << "the first holds it from 60 to 70";
}

// Sections of random lengths at random times: no two overlap, and none could begin earlier.
TEST(LockSections, FindTheFirstGap) {
  test::Random random(1);
  LockSections lock;
  std::vector<std::pair<double, double>> held;
  const auto is_free = [&](double begin, double end) {
    return std::ranges::none_of(held, [&](const auto& one) { return one.first < end && begin < one.second; });
  };
  for (int i = 0; i < 200; ++i) {
    const double ready = static_cast<double>(random.below(1000)),
                 length = 1 + static_cast<double>(random.below(12));
    const double begin = ready + lock.take(ready, length);
    EXPECT_TRUE(is_free(begin, begin + length));
    for (double earlier = ready; earlier < begin; ++earlier) EXPECT_FALSE(is_free(earlier, earlier + length));
    held.emplace_back(begin, begin + length);
  }
}

// Bytes take their time, in whichever order threads ask; who asks for a quiet moment does not wait.
TEST(Calendar, GivesRoomInAnyOrder) {
  Calendar link(2);  // bytes a ns
  double last = 0;
  for (int i = 0; i < 1000; ++i) last = link.take(10000, 64);
  EXPECT_NEAR(last, 1000 * 64 / 2, 1000);
  EXPECT_EQ(link.take(3000, 64), 0) << "an earlier moment";
  EXPECT_NEAR(link.take(12000, 64), last - 2000, 1000);
  EXPECT_EQ(link.take(1e6, 64), 0);
  link.restart();
  EXPECT_EQ(link.take(10000, 64), 0);
}

}  // namespace
}  // namespace gable::kmaf
