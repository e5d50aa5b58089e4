// Traces in the order of threads that all run at once.

#include "kmaf/replay/trace/parallel_order.hpp"

#include <gtest/gtest.h>

#include <map>

#include "recorded.hpp"

namespace gable::kmaf {
namespace {

std::vector<Access> ordered(const std::vector<Access>& trace) {
  ParallelOrder order;
  for (const Access& access : trace) order.take(access);
  std::vector<Access> result;
  order.give([&](const Access& access) { result.push_back(access); });
  return result;
}

std::map<std::uint32_t, std::vector<Access>> by_thread(const std::vector<Access>& trace) {
  std::map<std::uint32_t, std::vector<Access>> threads;
  for (const Access& access : trace) {
    if (access.event == Event::access || access.event == Event::lock || access.event == Event::unlock)
      threads[access.tid].push_back(access);
  }
  return threads;
}

// Threads with different work, which now and then hold a lock. Addresses tell the sections.
std::vector<Section> random_program(std::uint32_t threads, int sections, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Section> program(static_cast<std::size_t>(sections), Section(threads));
  for (std::size_t section = 0; section < program.size(); ++section) {
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      std::vector<Access>& steps = program[section][thread];
      for (std::uint64_t left = random.below(200); left > 0; --left) {
        const bool locks = random.chance(3);
        if (locks) steps.push_back(event(thread, Event::lock, lock_object));
        if (random.chance(5)) steps.push_back(event(thread, Event::work, random.below(5000)));
        steps.push_back({(section + 1) << 32 | random.below(1000) * 8, thread, 8, random.chance(30),
                         static_cast<std::uint32_t>(1 + random.below(9))});
        if (locks) steps.push_back(event(thread, Event::unlock, lock_object));
      }
    }
  }
  return program;
}

TEST(ParallelOrder, DoesNotDependOnTheTracersOrder) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto program = random_program(7, 5, seed);
    const auto first = Recorder(program, 1).trace(), second = Recorder(program, 2).trace();
    EXPECT_TRUE(first != second);
    EXPECT_TRUE(ordered(first) == ordered(second)) << seed;
  }
}

TEST(ParallelOrder, KeepsThreadsBarriersAndLocks) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto trace = Recorder(random_program(5, 4, seed), seed).trace();
    const auto result = ordered(trace);
    EXPECT_EQ(by_thread(result), by_thread(trace));
    std::uint64_t section = 0;
    int owner = -1, wakes = 0;
    for (const Access& access : result) {
      const int thread = static_cast<int>(access.tid);
      if (access.event == Event::access && access.address >> 32 > 0) {
        EXPECT_GE(access.address >> 32, section);
        section = access.address >> 32;
      }
      if (access.event == Event::lock || access.event == Event::unlock) {
        EXPECT_EQ(owner, access.event == Event::lock ? -1 : thread);
        owner = access.event == Event::lock ? thread : -1;
      }
      wakes += access.event == Event::wake_all ? 1 : 0;
    }
    EXPECT_EQ(wakes, 4);
  }
}

// By its own instructions and the waits, each access has a time, computed here section by section.
TEST(ParallelOrder, NobodyIsFarAhead) {
  std::vector<Section> program(1, Section(6));
  test::Random random(3);
  for (std::uint32_t thread = 0; thread < 6; ++thread) {
    for (int i = 0; i < 4000; ++i)
      program[0][thread].push_back(
          {i * 64u, thread, 8, false, static_cast<std::uint32_t>(1 + random.below(20))});
  }
  std::vector<std::uint64_t> clocks(6), left(6, 4000);
  for (const Access& access : ordered(Recorder(program, 9).trace())) {
    if (access.event != Event::access || access.instructions == 10 * (access.address < 384)) continue;
    clocks[access.tid] += access.instructions;
    --left[access.tid];
    for (std::size_t other = 0; other < 6; ++other) {
      if (left[other] == 0) continue;
      EXPECT_LT(clocks[access.tid], clocks[other] + 1000 + 60 + 20);
    }
  }
}

TEST(ParallelOrder, TheSlowestWakesTheOthersAtABarrier) {
  std::vector<Section> program(10, Section(4));
  for (std::size_t section = 0; section < 10; ++section) {
    for (std::uint32_t thread = 0; thread < 4; ++thread)
      program[section][thread] = {event(thread, Event::work, thread == section % 4 ? 20'000 : 100)};
  }
  std::vector<std::uint32_t> waking;
  for (const Access& access : ordered(Recorder(program, 5).trace())) {
    if (access.event == Event::wake_all) waking.push_back(access.tid);
  }
  EXPECT_EQ(waking, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1}));
}

// Otherwise places that follow the threads' numbers would look better than they are.
TEST(ParallelOrder, EqualThreadsTakeALockInEveryOrder) {
  constexpr std::uint32_t threads = 8;
  std::vector<Section> program(400, Section(threads));
  for (Section& section : program) {
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      section[thread] = {event(thread, Event::lock, lock_object),
                         {64, thread, 8, true, 5},
                         event(thread, Event::unlock, lock_object)};
    }
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> successions;
  std::uint32_t last = 0;
  for (const Access& access : ordered(Recorder(program, 5).trace())) {
    if (access.event != Event::lock) continue;
    ++successions[{last, access.tid}];
    last = access.tid;
  }
  // 3200 successions of 64 kinds: 50 each, and of a thread to itself fewer, from one section to the next.
  for (const auto& [pair, count] : successions) {
    if (pair.first == pair.second) continue;
    EXPECT_GT(count, 20) << pair.first << " " << pair.second;
    EXPECT_LT(count, 90) << pair.first << " " << pair.second;
  }
}

TEST(ParallelOrder, OtherLotsGiveAnotherOrderOfTheSame) {
  ParallelOrder order;
  for (const Access& access : Recorder(random_program(5, 4, 1), 1).trace()) order.take(access);
  const auto given = [&](std::uint64_t lots) {
    std::vector<Access> result;
    order.give([&](const Access& access) { result.push_back(access); }, lots);
    return result;
  };
  const auto first = given(0), other = given(1);
  EXPECT_TRUE(first == given(0));
  EXPECT_FALSE(first == other);
  EXPECT_TRUE(by_thread(first) == by_thread(other));
}

// The addresses in the order of their first access.
std::vector<std::uint64_t> addresses_of(const std::vector<Access>& trace) {
  std::vector<std::uint64_t> addresses;
  for (const Access& access : trace) {
    if (access.event == Event::access) addresses.push_back(access.address);
  }
  return addresses;
}

// It waits for its lock as well, which the thread that signals still has.
TEST(ParallelOrder, AConditionEndsAfterItsSignal) {
  const std::vector<Access> trace = {{0, 0, 8, true, 3},
                                     event(1, Event::work, 0),
                                     event(1, Event::lock, 55),
                                     {1, 1, 8, false, 3},
                                     event(1, Event::wait_for, 77),
                                     event(0, Event::work, 50'000),
                                     event(0, Event::lock, 55),
                                     {2, 0, 8, true, 3},
                                     event(0, Event::wake_one, 77),
                                     event(0, Event::work, 50'000),
                                     {3, 0, 8, true, 3},
                                     event(0, Event::unlock, 55),
                                     {4, 1, 8, false, 3},
                                     event(1, Event::unlock, 55),
                                     event(0, Event::work, 50'000),
                                     {5, 0, 8, true, 3}};
  EXPECT_EQ(addresses_of(ordered(trace)), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(ParallelOrder, AnotherThreadMayGiveALockBack) {
  const std::vector<Access> trace = {event(0, Event::lock, 55), {0, 0, 8, true, 3},
                                     event(1, Event::work, 0),  event(2, Event::work, 0),
                                     event(1, Event::lock, 55), event(2, Event::work, 50'000),
                                     {1, 2, 8, true, 3},        event(2, Event::unlock, 55),
                                     {2, 1, 8, true, 3},        event(2, Event::work, 50'000),
                                     {3, 2, 8, true, 3}};
  EXPECT_EQ(addresses_of(ordered(trace)), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(ParallelOrder, LosesNothingIfALockIsNeverGivenBack) {
  std::vector<Access> trace = {{0, 0, 8, true, 3}, event(0, Event::lock, 5)};
  for (std::uint32_t thread = 1; thread < 4; ++thread) {
    trace.push_back(event(thread, Event::lock, 5));
    trace.push_back({64, thread, 8, true, 3});
  }
  trace.push_back(event(3, Event::wait, 99));
  trace.push_back({128, 3, 8, true, 3});
  EXPECT_EQ(by_thread(ordered(trace)), by_thread(trace));
}

TEST(ParallelOrder, WithoutEventsTheOrderStays) {
  test::Random random(1);
  std::vector<Access> trace;
  for (int i = 0; i < 3000; ++i) {
    trace.push_back({random.below(1 << 20), static_cast<std::uint32_t>(random.below(30)), 8,
                     random.chance(30), static_cast<std::uint32_t>(random.below(1024))});
    if (random.chance(10)) trace.push_back(event(trace.back().tid, Event::work, random.below(1 << 30)));
  }
  trace.push_back({64, 3, 1 << 20, true, 1023});
  EXPECT_EQ(ordered(trace), trace);
  EXPECT_TRUE(ordered({}).empty());
}

}  // namespace
}  // namespace gable::kmaf
