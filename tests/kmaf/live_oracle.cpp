// The report of the oracle tells the recorded accesses, and what it could not recognize.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kmaf/live/policies/oracle.hpp"
#include "oracle_test.hpp"

namespace gable::kmaf::live {
namespace {

class PlayedFollower : public Sampler {
 public:
  void attach(pid_t) override {}
  Events read() override { return {}; }
  std::uint64_t lost() const override { return lost_events; }

  std::uint64_t lost_events = 0;
};

// What the record says of their accesses, from where its threads are to where its pages are. A first touch
// does not count: all of them are recorded, but few of the later accesses.
TEST_F(Known, TheReportTellsTheRecordedAccesses) {
  PlayedFollower follower;
  constexpr std::uint64_t first = 0x10000000, second = 0x20000000, never = 0x30000000;
  knowledge_.pages = {{0, first, {{0, 31}, {1, 10}}, 0}, {0, second, {{2, 60}}}, {0, never, {{2, 99}}}};
  kernel_.errors[never] = -ENOENT;
  const Mapping leaves = leaves_of(knowledge_, hierarchy_);
  Oracle oracle({knowledge_, true, true, 0.01, self, 0}, hierarchy_, follower, kernel_, binder_);
  oracle.take({replaced(self, 1)}, 1);
  Report report;
  oracle.finish(report);
  std::map<std::pair<int, int>, double> shares, wanted;
  for (const AccessShare& access : report.access) shares[{access.cluster, access.node}] = access.share;
  const auto cluster = [&](int task) {
    return hierarchy_.leaves[static_cast<std::size_t>(leaves[static_cast<std::size_t>(task)])].node;
  };
  wanted[{cluster(0), kernel_.node[first]}] += 0.3;
  wanted[{cluster(1), kernel_.node[first]}] += 0.1;
  wanted[{cluster(2), kernel_.node[second]}] += 0.6;
  EXPECT_EQ(shares.size(), wanted.size());
  for (const auto& [place, share] : wanted) EXPECT_NEAR(shares[place], share, 1e-12);
  EXPECT_NEAR(report.access_samples, 30 + 10 + 60, 1e-9);
}

// Many samples of neighbouring pages tell little of the others. First touches, which all pages have, do not
// count.
TEST_F(Known, TheReportTellsInHowMuchOfItsMemorySamplesAre) {
  PlayedFollower follower;
  constexpr std::uint64_t far = 64 << 20, near = 4096, base = 0x10000000;
  const auto seen_in = [&](const std::vector<KnownPage>& pages) {
    knowledge_.pages = pages;
    Oracle oracle({knowledge_, true, true, 0.01, self, 0}, hierarchy_, follower, kernel_, binder_);
    oracle.take({replaced(self, 1)}, 1);
    Report report;
    oracle.finish(report);
    return report.access_seen_in;
  };
  const KnownPage touched = {0, base + far, {{2, 1}}, 2};
  EXPECT_EQ(seen_in({{0, base, {{0, 1000}}, 0}, touched}), 0.5);
  EXPECT_EQ(seen_in({{0, base, {{0, 2}}, 0}, touched, {0, base + far + near, {{1, 2}}, 1}}), 1);
  EXPECT_EQ(seen_in({{0, base, {{0, 1}}, 0}, touched, {0, base + 2 * far, {{2, 1}}, 2, 5}}), 1.0 / 3);
}

// A page has room for few tasks. Its other accesses come from the clusters whose tasks have more accesses
// than the pages tell.
TEST_F(Known, AccessesBeyondTheTasksOfAPageAreSharedByWhatIsLacking) {
  PlayedFollower follower;
  constexpr std::uint64_t page = 0x10000000;
  knowledge_.pages = {{0, page, {{0, 20}}, -1, 80}};
  for (KnownTask& task : knowledge_.tasks) task.accesses = 0;
  knowledge_.tasks[0].accesses = 20;
  knowledge_.tasks[1].accesses = 60;
  knowledge_.tasks[2].accesses = 20;
  const Mapping leaves = leaves_of(knowledge_, hierarchy_);
  Oracle oracle({knowledge_, true, true, 0.01, self, 0}, hierarchy_, follower, kernel_, binder_);
  oracle.take({replaced(self, 1)}, 1);
  Report report;
  oracle.finish(report);
  std::map<int, double> shares, wanted;
  for (const AccessShare& access : report.access) shares[access.cluster] += access.share;
  const double share_of_task[] = {0.2, 0.6, 0.2};
  for (int task = 0; task < 3; ++task)
    wanted[hierarchy_.leaves[static_cast<std::size_t>(leaves[static_cast<std::size_t>(task)])].node] +=
        share_of_task[task];
  for (const auto& [cluster, share] : wanted) EXPECT_NEAR(shares[cluster], share, 1e-12) << cluster;
  EXPECT_NEAR(report.access_samples, 100, 1e-9);
}

// The third thread cannot be identified: the event of an earlier one may be lost.
TEST_F(Known, AfterLostEventsNewThreadsAreUnknown) {
  PlayedFollower follower;
  Oracle oracle({knowledge_, true, true, 0.01, self, 0}, hierarchy_, follower, kernel_, binder_);
  oracle.take({replaced(self, 1), started(self, 500, self, 1)}, 1);
  EXPECT_NE(pu(500), 99u);
  follower.lost_events = 7;
  oracle.take({started(self, 501, self, 1)}, 1.1);
  EXPECT_EQ(pu(501), 99u);
  Report report;
  oracle.finish(report);
  EXPECT_EQ(report.lost, 7u);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0], gable::model::Note(gable::model::NoteCode::starts_lost, {7.0}));
  EXPECT_EQ(report.recognized->tasks, 2u);
  EXPECT_EQ(report.recognized->tasks_unknown, 1u);
}

}  // namespace
}  // namespace gable::kmaf::live
