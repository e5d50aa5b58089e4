// Intervals by hand, and means of runs.

#include <gtest/gtest.h>

#include "kmaf/replay/result.hpp"

namespace gable::kmaf {
namespace {

TEST(Summary, ByHand) {
  const Summary summary = summarize({1, 2, 3});
  EXPECT_DOUBLE_EQ(summary.value, 2);
  EXPECT_NEAR(summary.hi - 2, 4.303 / 1.7320508, 1e-3);
  EXPECT_NEAR(2 - summary.lo, 4.303 / 1.7320508, 1e-3);
  EXPECT_TRUE(summary.has_interval());
  EXPECT_FALSE(summarize({7}).has_interval());
  EXPECT_EQ(summarize({7}).lo, 7);
  EXPECT_EQ(summarize({7, 7}).hi, 7);
}

TEST(Means, AreThoseOfEveryFigureOfTheRuns) {
  ReplayResult::OfPolicy policy;
  for (const int run : {1, 3}) {
    Outcome& outcome = policy.outcomes.emplace_back();
    outcome.seconds = 10 * run;
    outcome.joules = 20 * run;
    outcome.link_bytes = 30 * run;
    outcome.overhead_percent = 0.5 * run;
    outcome.policy.samples = 40 * static_cast<std::uint64_t>(run);
    outcome.policy.pages_moved = 50 * static_cast<std::uint64_t>(run);
    outcome.policy.tasks_moved = 60 * static_cast<std::uint64_t>(run);
    outcome.policy.overhead = {1.0 * run, 2.0 * run, 3.0 * run, 4.0 * run};
  }
  const OutcomeMeans means = means_of(policy);
  EXPECT_EQ(means.seconds, 20);
  EXPECT_EQ(means.joules, 40);
  EXPECT_EQ(means.link_bytes, 60);
  EXPECT_EQ(means.overhead_percent, 1);
  EXPECT_EQ(means.samples, 80);
  EXPECT_EQ(means.pages_moved, 100);
  EXPECT_EQ(means.tasks_moved, 120);
  EXPECT_EQ(means.overhead.faults, 2);
  EXPECT_EQ(means.overhead.mapping, 4);
  EXPECT_EQ(means.overhead.page_moves, 6);
  EXPECT_EQ(means.overhead.task_moves, 8);
}

}  // namespace
}  // namespace gable::kmaf
