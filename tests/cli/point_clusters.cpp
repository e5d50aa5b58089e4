// A run on several clusters as a point for each, by the threads' own counts.

#include <gtest/gtest.h>

#include "cli/point/run/parts.hpp"

namespace gable::cli {
namespace {

// Two clusters with two cores each: CPUs 0, 1 and 2, 3.
std::vector<machines::Cluster> two_clusters() {
  std::vector<machines::Cluster> clusters(2);
  for (unsigned cpu = 0; cpu < 4; ++cpu) clusters[cpu / 2].cores.push_back({{cpu}});
  clusters[1].index = 1;
  return clusters;
}

points::Work work_of(std::uint64_t flops) {
  points::Work work;
  work.flops = {{points::Flops::Operation::add, points::Flops::Precision::dp, 256, flops}};
  work.load_bytes = 8 * flops;
  work.store_bytes = 0;
  return work;
}

struct SplitRun {
  model::Point program;
  points::Counts counts;
  points::Residence seen;
};

// A thread for each entry: its flops and the CPU on which it was seen.
SplitRun run_of(const std::vector<std::pair<std::uint64_t, unsigned>>& threads) {
  SplitRun run;
  run.program.name = "ddot";
  run.program.cluster = -1;
  run.program.alone = false;
  run.program.seconds = run.program.seconds_lo = run.program.seconds_hi = 2;
  run.program.node_bytes = {{0, 1 << 20}};
  run.program.counter = "valgrind";
  run.counts.counter = "valgrind";
  points::ProcessCounts process;
  points::ProcessPlaces places;
  process.command = places.command = {"./ddot"};
  for (const auto& [flops, cpu] : threads) {
    process.threads.push_back(work_of(flops));
    run.counts.total += work_of(flops);
    places.threads.push_back({{cpu, 10}});
  }
  run.counts.processes = {process};
  run.seen.processes = {{{"sh"}, {{{0, 1}}}}, places};
  run.seen.active.by_cluster = {{0, {}}, {1, {}}};
  return run;
}

TEST(PointsByCluster, WorkIsThatOfTheThreadsThere) {
  const SplitRun run = run_of({{100, 0}, {300, 1}, {150, 2}, {50, 3}});
  const auto points = points_by_cluster(run.program, run.counts, run.seen, two_clusters());
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].name, "ddot (cluster 0)");
  EXPECT_EQ(points[0].cluster, 0);
  EXPECT_EQ(points[0].flops, 400);
  EXPECT_EQ(points[0].load_bytes, 3200);
  EXPECT_EQ(points[1].flops, 200);
  double flops = 0;
  for (const model::Point& point : points) {
    flops += point.flops;
    EXPECT_FALSE(point.alone);
    EXPECT_EQ(point.threads, 2);
    EXPECT_EQ(point.seconds, 2);
    EXPECT_EQ(point.node_bytes, run.program.node_bytes);
  }
  EXPECT_EQ(flops, static_cast<double>(run.counts.total.flop_count()));
}

// Samples are of the threads of all clusters.
TEST(PointsByCluster, OnlyAPointAloneHasTheTimeOfFunctions) {
  SplitRun run = run_of({{100, 0}, {100, 2}});
  run.program.samples.all = 50;
  run.program.functions = {{"dot", "ddot", 200, 1600, 0}};
  run.program.functions.front().samples = 40;
  for (const model::Point& point : points_by_cluster(run.program, run.counts, run.seen, two_clusters())) {
    EXPECT_EQ(point.samples.all, 0);
    EXPECT_EQ(point.samples.missing, model::Note(model::NoteCode::sampled_together));
    EXPECT_EQ(point.functions.front().samples, 0);
  }
  run.counts.processes.front().threads[0] = work_of(0);
  run.seen.active.by_cluster = {{0, {0.5, 0.5, 0.5}}, {1, {0.5, 0.5, 0.5}}};
  const auto alone = points_by_cluster(run.program, run.counts, run.seen, two_clusters());
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone.front().samples, run.program.samples);
  EXPECT_EQ(alone.front().functions, run.program.functions);
}

TEST(PointsByCluster, TimeIsThatInWhichItIsAtWork) {
  SplitRun run = run_of({{100, 0}, {300, 2}});
  run.program.seconds_lo = 1.9;
  run.program.seconds_hi = 2.1;
  run.seen.active.by_cluster = {{0, {0.25, 0.24, 0.26}}, {1, {0.98, 0.97, 1}}};
  const auto points = points_by_cluster(run.program, run.counts, run.seen, two_clusters());
  ASSERT_EQ(points.size(), 2u);
  EXPECT_DOUBLE_EQ(points[0].seconds, 0.5);
  EXPECT_DOUBLE_EQ(points[0].seconds_lo, 1.9 * 0.24);
  EXPECT_DOUBLE_EQ(points[0].seconds_hi, 2.1 * 0.26);
  ASSERT_EQ(points[0].notes.size(), 1u);
  EXPECT_EQ(points[0].notes.front(), model::Note(model::NoteCode::time_without_others, {0.5, 2.0}));
  EXPECT_DOUBLE_EQ(points[1].seconds, 1.96);
  EXPECT_DOUBLE_EQ(points[1].seconds_hi, 2.1);
  EXPECT_TRUE(points[1].notes.empty());
}

TEST(PointsByCluster, DoubtfulTimeIsSaid) {
  SplitRun run = run_of({{100, 0}, {300, 2}});
  run.seen.active.by_cluster = {{0, {0.75, 0.5, 1}}, {1, {0.75, 0.5, 1}}};
  for (const model::Point& point : points_by_cluster(run.program, run.counts, run.seen, two_clusters())) {
    EXPECT_DOUBLE_EQ(point.seconds_lo, 1);
    EXPECT_DOUBLE_EQ(point.seconds_hi, 2);
    ASSERT_EQ(point.notes.size(), 2u);
    EXPECT_EQ(point.notes.back(), model::Note(model::NoteCode::time_uncertain, {1.0, 2.0}));
  }
}

TEST(PointsByCluster, UnknownTimeIsTheWholeAndSaid) {
  SplitRun run = run_of({{100, 0}, {300, 2}});
  run.seen.active = {{}, "a reason"};
  for (const model::Point& point : points_by_cluster(run.program, run.counts, run.seen, two_clusters())) {
    EXPECT_EQ(point.seconds, 2);
    ASSERT_EQ(point.notes.size(), 1u);
    EXPECT_EQ(point.notes.front(), model::Note(model::NoteCode::time_of_program, {"a reason"}));
  }
}

TEST(PointsByCluster, OneClusterThatWorksIsAlone) {
  SplitRun run = run_of({{100, 2}, {100, 3}, {0, 0}});
  run.seen.active.by_cluster = {{0, {0.5, 0.5, 0.5}}, {1, {0.5, 0.5, 0.5}}};  // cluster 0 does no work
  const auto points = points_by_cluster(run.program, run.counts, run.seen, two_clusters());
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].cluster, 1);
  EXPECT_TRUE(points[0].alone);
  EXPECT_EQ(points[0].seconds, run.program.seconds);
}

TEST(PointsByCluster, ThreadsThatMoveAreSaid) {
  SplitRun run = run_of({{100, 0}, {100, 2}});
  run.seen.processes[1].threads[1] = {{0, 4}, {2, 6}};
  const auto points = points_by_cluster(run.program, run.counts, run.seen, two_clusters());
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].notes.back(), model::Note(model::NoteCode::threads_moved, {"1 thread"}));
}

TEST(PointsByCluster, ThreadsThatCannotBeFollowedLeaveOnePoint) {
  SplitRun fewer = run_of({{100, 0}, {100, 2}});
  fewer.seen.processes[1].threads.pop_back();
  SplitRun unseen = run_of({{100, 0}, {100, 2}});
  unseen.seen.processes.clear();
  SplitRun elsewhere = run_of({{100, 0}, {100, 77}});
  SplitRun uncounted = run_of({{100, 0}});
  uncounted.counts.processes.clear();
  SplitRun rarely = run_of({{100, 0}, {100, 2}});
  rarely.seen.processes[1].threads[1] = {{0, 1}, {2, 1}};
  for (const SplitRun& run : {fewer, unseen, elsewhere, uncounted, rarely}) {
    const auto points = points_by_cluster(run.program, run.counts, run.seen, two_clusters());
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].cluster, -1);
    EXPECT_EQ(points[0].name, "ddot");
    EXPECT_EQ(points[0].notes.front().code, model::NoteCode::work_taken_as_even);
  }
}

}  // namespace
}  // namespace gable::cli
