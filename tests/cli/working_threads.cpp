// The threads of a program that work, by what was counted.

#include <gtest/gtest.h>

#include "cli/point/measured_point.hpp"

namespace gable::cli {
namespace {

points::Counts counts_of_threads(const std::vector<std::uint64_t>& bytes) {
  points::Counts counts;
  counts.processes.emplace_back();
  for (const std::uint64_t loaded : bytes) counts.processes.back().threads.push_back({{}, loaded, 0});
  return counts;
}

points::Residence at_once(int threads) {
  points::Residence seen;
  seen.threads = threads;
  return seen;
}

TEST(WorkingThreads, AThreadThatALibraryStartsAndNeverUsesIsNone) {
  EXPECT_EQ(points::working_threads(counts_of_threads({1'000'000, 900}).processes.front().threads), 1);
  EXPECT_EQ(points::working_threads(counts_of_threads({1'000'000, 30'000, 900}).processes.front().threads),
            2);
  EXPECT_EQ(threads_of(at_once(2), counts_of_threads({1'000'000, 900})), 1);
  EXPECT_EQ(threads_of(at_once(2), counts_of_threads({1'000'000, 600'000, 600'000})), 2) << "at once";
}

TEST(WorkingThreads, OfManyAreCountedInAllProcesses) {
  points::Counts counts = counts_of_threads({500, 600, 700});
  counts.processes.push_back(counts.processes.front());
  EXPECT_EQ(threads_of(at_once(4), counts), 4);
  EXPECT_EQ(threads_of(at_once(9), counts), 6);
}

TEST(WorkingThreads, WithoutCountsThoseThatWereSeen) {
  EXPECT_EQ(threads_of(at_once(3), {}), 3);
  EXPECT_EQ(threads_of(at_once(0), {}), 0);
  EXPECT_EQ(threads_of(at_once(2), points::Counts()), 2) << "of an import without threads";
  EXPECT_EQ(threads_of(at_once(0), counts_of_threads({5})), 1);
}

}  // namespace
}  // namespace gable::cli
