// Traces as replays read them, and the kernels that generate them.

#include "kmaf/replay/trace/prepared_trace.hpp"

#include <gtest/gtest.h>

#include "replayed.hpp"

namespace gable::kmaf {
namespace {

TEST(PreparedTrace, CutsAccessesIntoLines) {
  const PreparedTrace trace = prepared({{4096 + 60, 9, 8, true}, {0, 5, 4, false}, {8190, 9, 4, false}});
  const std::vector<Record> expected = {
      {0, 3, 0, 0, 0, true}, {0, 0, 0, 0, 1, true}, {1, 3, 1, 0, 0}, {0, 3, 0, 0, 63}, {2, 0, 0, 0, 0}};
  EXPECT_EQ(records_of(trace), expected);
  EXPECT_EQ(trace.threads(), 2);
  EXPECT_EQ(trace.pages(), 3u);
  EXPECT_EQ(trace.accesses(), 5u);
  EXPECT_EQ(trace.page_number(0), 1u);
  EXPECT_EQ(trace.use_of(0), (std::vector<std::pair<int, std::uint64_t>>{{0, 3}}));
}

// Accesses that hit the L1 for sure are counted with the one before; a first write is not among them, nor an
// access after another thread's.
TEST(PreparedTrace, CountsRepeatedAccesses) {
  const PreparedTrace trace = prepared({{0, 1, 8, false, 7},
                                        {8, 1, 8, false, 2},
                                        {16, 1, 8, true, 1},
                                        {128, 1, 8, false, 4},
                                        {0, 1, 8, true, 5},
                                        {0, 2, 8, false, 6},
                                        {900, 1, 0, false, 0, Event::work},
                                        {0, 1, 8, false, 1}});
  const std::vector<Record> expected = {
      {0, 9, 0, 1, 0}, {0, 1, 0, 0, 0, true}, {0, 9, 0, 1, 2}, {0, 6, 1, 0, 0}, {0, 901, 0, 0, 0}};
  EXPECT_EQ(records_of(trace), expected);
  EXPECT_EQ(trace.accesses(), 7u);
}

TEST(Replay, TheSteadyPartIsWithoutTheStart) {
  const PreparedTrace trace = prepared(pairs(20), 0);
  ASSERT_TRUE(trace.is_looped());
  EXPECT_GT(trace.steady_accesses(), trace.accesses() / 2);
  EXPECT_LE(trace.steady_accesses(), 20u * 2048 * 8);
  EXPECT_EQ(trace.steady_accesses() % (2048 * 8), 0u) << "from barrier to barrier";
  EXPECT_FALSE(prepared(pairs(20), 1).is_looped());
  EXPECT_EQ(prepared(pairs(20), 1).steady_accesses(), trace.accesses());
}

// What a hidden page meets: the threads in the proportion of the time that it waits for them.
TEST(PreparedTrace, VisitsArePickedByTime) {
  ParallelProgram program(2);
  for (int loop = 0; loop < 100; ++loop) {
    for (std::uint32_t thread = 0; thread < 2; ++thread) {
      if (thread == 0) program.work(0, 3000);
      program.access(thread, 128 * thread, true, 0);
      program.barrier();
    }
    program.work(1, 1000);
  }
  const PreparedTrace trace = prepared(program, 2);
  int of_first = 0;
  constexpr int tries = 2000;
  for (int i = 0; i < tries; ++i) {
    const auto visit =
        trace.visit(0, (i + 0.5) / tries, trace.moment(0), trace.moment(PreparedTrace::pieces));
    ASSERT_TRUE(visit.has_value());
    of_first += visit->thread == 0 ? 1 : 0;
  }
  EXPECT_GT(of_first, 0.9 * tries) << "the second comes right after the first";
  EXPECT_FALSE(trace.visit(0, 0.5, 0, 0));
}

void expect_sharing(int threads, int groups) {
  const WorkloadShape shape{threads, 8, 60000};
  const auto shared = [&](const char* kernel) { return prepared(kernel, shape).sharing(); };
  const AffinityMatrix ring = shared("ring"), alone = shared("private"), blocks = shared("blocks"),
                       all = shared("all-to-all"), pipeline = shared("pipeline");
  for (int i = 0; i < threads; ++i) {
    for (int j = 0; j < i; ++j) {
      const bool neighbours = i - j == 1 || i - j == threads - 1;
      EXPECT_EQ(ring(i, j) > 0, neighbours) << i << " " << j;
      EXPECT_EQ(pipeline(i, j) > 0, i - j == groups) << i << " " << j;
      EXPECT_GT(all(i, j), 0u);
      if (j == 0) continue;  // initialized everything
      // All read one element before they start, and see each other there once.
      EXPECT_LE(alone(i, j), 1u);
      EXPECT_EQ(blocks(i, j) > 1, i % groups == j % groups) << i << " " << j;
    }
  }
}

TEST(Workloads, ShareAsTheyShould) {
  expect_sharing(8, 4);
  expect_sharing(16, 8);
}

}  // namespace
}  // namespace gable::kmaf
