// The number of threads of a marked region.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/temporary_folder.hpp"
#include "cli/point/run/parts.hpp"

namespace gable::cli {
namespace {

// A second of a region that a number of threads marks, with the CPU time of the process meanwhile.
points::MarkedRegion marked_by(int threads, double cpu_seconds) {
  points::MarkedRegion region;
  region.name = "loop";
  region.seconds = 1;
  region.calls = 1;
  region.threads = threads;
  region.by_one = threads == 1;
  region.usage.user_seconds = cpu_seconds;
  region.flops = 1e6;
  return region;
}

model::Point program_of(int threads) {
  model::Point program;
  program.name = "app";
  program.threads = threads;
  return program;
}

model::Point point_of(const points::MarkedRegion& region, const model::Point& program,
                      const std::optional<points::Counts>& counts = {}, double stolen = 0) {
  const auto points = region_points(program, {{region}, {region}}, counts, stolen);
  EXPECT_EQ(points.size(), 1u);
  return points.front();
}

TEST(RegionPoints, ASerialRegionIsOfOneThread) {
  for (const int threads : {0, 1, 2, 4}) {
    const model::Point point = point_of(marked_by(1, 1.01), program_of(threads));
    EXPECT_EQ(point.threads, 1);
    EXPECT_TRUE(point.notes.empty());
  }
}

TEST(RegionPoints, AParallelRegionIsOfAllThreads) {
  const model::Point point = point_of(marked_by(1, 3.9), program_of(4));
  EXPECT_EQ(point.threads, 4);
  EXPECT_TRUE(point.notes.empty());
  const model::Point uneven = point_of(marked_by(1, 2.5), program_of(4));
  EXPECT_EQ(uneven.threads, 4);
  ASSERT_EQ(uneven.notes.size(), 1u);
  EXPECT_NE(sentence(uneven.notes[0]).find("kept 2.5 CPUs busy on average and counts as run by all 4"),
            std::string::npos);
}

TEST(RegionPoints, WhatCannotBeKnownIsSaid) {
  model::Point disturbed = program_of(4);
  disturbed.other_cpus = 1;
  for (const model::Point& point :
       {point_of(marked_by(1, 1.9), program_of(4)), point_of(marked_by(1, 3.9), program_of(0)),
        point_of(marked_by(1, 0.01), program_of(4)), point_of(marked_by(1, 1), disturbed)}) {
    EXPECT_EQ(point.threads, 0);
    ASSERT_EQ(point.notes.size(), 1u);
    EXPECT_EQ(point.notes[0].code, model::NoteCode::threads_at_once_unknown);
  }
}

// Two threads of which a hypervisor lets one run at a time are no serial region.
TEST(RegionPoints, WhatTheHypervisorTookMayBeWork) {
  EXPECT_EQ(point_of(marked_by(1, 1), program_of(2), {}, 1).threads, 2);
  EXPECT_EQ(point_of(marked_by(1, 1), program_of(4), {}, 1).threads, 0);
  EXPECT_EQ(point_of(marked_by(1, 0.6), program_of(2), {}, 0.4).threads, 1);
}

// What the others did when it was counted tells more than their CPU time, in which they may only have spun.
TEST(RegionPoints, CountsTellWhetherTheOthersWorked) {
  points::Counts counts;
  counts.regions = {{"loop", 1, 1, {{{.count = 1000}}, 8000, 0}, {{}, 4000, 0}}};
  EXPECT_EQ(point_of(marked_by(1, 3.9), program_of(4), counts).threads, 1);
  counts.regions[0].of_others.flops = {{.count = 500}};
  EXPECT_EQ(point_of(marked_by(1, 3.9), program_of(4), counts).threads, 4);
  EXPECT_EQ(point_of(marked_by(1, 1), program_of(4), counts).threads, 0);
}

// A region of a program that works for a given time does less under a counter.
TEST(RegionPoints, OtherCallsThanWereTimedAreNotCounted) {
  points::Counts counts;
  counts.regions = {{"loop", 1, 3, {{{.count = 1000}}, 8000, 0}, {{}, 0, 0}}};
  EXPECT_THROW(region_points(program_of(1), {{marked_by(1, 1)}}, counts, 0), Error);
  points::MarkedRegion thrice = marked_by(1, 1);
  thrice.calls = 3;
  EXPECT_EQ(region_points(program_of(1), {{thrice}}, counts, 0).size(), 1u);
}

// What the program states may differ between runs, as its time does.
TEST(RegionPoints, StatedWorkIsTheMeanOfTheRuns) {
  points::MarkedRegion more = marked_by(1, 1);
  more.flops = 3e6;
  EXPECT_EQ(region_points(program_of(1), {{marked_by(1, 1)}, {more}}, {}, 0).at(0).flops, 2e6);
}

TEST(RegionPoints, OfSeveralThatMarkItThoseCount) {
  EXPECT_EQ(point_of(marked_by(3, 0.9), program_of(5)).threads, 3);
  EXPECT_EQ(point_of(marked_by(3, 0.01), program_of(0)).threads, 3);
}

TEST(RegionPoints, ThoseInsideAtOnceAddUpOverProcesses) {
  const TemporaryFolder folder("regions");
  const auto write = [&](int pid, const std::string& threads) {
    write_whole(folder.path / ("m." + std::to_string(pid)),
                R"({"schema":1,"strays":0,"stray":"","regions":[{"name":"loop","calls":1,)" + threads +
                    R"(,"open":0,"seconds":1,"flops":5,"load_bytes":0,"store_bytes":0}]})");
  };
  write(1, R"("threads":800,"most_inside":4)");
  write(2, R"("threads":2)");  // of an older header
  EXPECT_EQ(points::read_markers(folder.path, "m").front().threads, 6);
  EXPECT_FALSE(points::read_markers(folder.path, "m").front().by_one);
  write(3, R"("threads":1,"most_inside":1)");
  EXPECT_EQ(points::read_markers(folder.path, "m").front().threads, 7);
  EXPECT_TRUE(points::read_markers(folder.path, "m").front().by_one);
}

}  // namespace
}  // namespace gable::cli
