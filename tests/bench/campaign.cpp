// The campaign: completed visits are not repeated, missing ones are reported, and disturbed ones are not
// kept.

#include "bench/visit/campaign.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <stdexcept>
#include <thread>

#include "bench/schedule/costs.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::tiny;
using gable::machines::Machine;
using gable::model::Kind;
using gable::model::Sample;
using gable::model::Status;

using Visits = std::map<std::pair<std::string, int>, int>;

class Campaign : public testing::Test {
 protected:
  void SetUp() override {
    preset_.rounds = 3;
    options_.preset = &preset_;
    options_.pages = {*gable::model::pages_named("4k")};
    options_.exhaustive = true;  // every visit: races are tested with simulated machines
    options_.only = {"flops", "L1,bandwidth"};
  }

  Plan plan() const { return make_plan(machine_, {}, options_); }

  Outcome go(const Plan& plan, const Done& done = {}) {
    const Hooks hooks = {[this](const Sample& sample) {
                           recorded_.push_back(sample);
                           if (recorded_.size() == stop_after_) stop_ = true;
                         },
                         [this](const Progress& progress) {
                           EXPECT_GE(progress.seconds_left, 0);
                           EXPECT_LE(progress.visits_done, progress.visits);
                           EXPECT_GE(progress.visits_done, last_done_);
                           if (first_.visits == 0) first_ = progress;
                           last_done_ = progress.visits_done;
                         },
                         [](const std::vector<double>&) { return 1.0; }};
    last_done_ = 0;
    return run_campaign(machine_, {}, plan, options_, done, hooks, stop_);
  }

  Done done() const {
    Done done;
    for (const Sample& sample : recorded_) {
      if (sample.status == Status::ok) done[{key(sample.spec), sample.round}] = visit_rate(sample);
    }
    return done;
  }

  Visits count(Status status) const {
    Visits visits;
    for (const Sample& sample : recorded_) {
      if (sample.status == status) ++visits[{key(sample.spec), sample.round}];
    }
    return visits;
  }

  // Every visit of the plan was made once, and disturbed ones twice.
  void expect_complete(const Plan& plan) const {
    const Visits ok = count(Status::ok), invalid = count(Status::invalid);
    for (const auto& run : plan.runs) {
      for (int round = 0; run.skip.empty() && round < run.rounds; ++round) {
        for (const auto& spec : run.cases) {
          const std::pair visit(key(spec), round);
          EXPECT_TRUE(ok.contains(visit) || invalid.contains(visit)) << visit.first << " round " << round;
        }
      }
    }
    for (const auto& [visit, times] : ok) EXPECT_EQ(times, 1) << visit.first;
  }

  Machine machine_ = gable::machines::this_machine();
  Preset preset_ = tiny;
  Options options_;
  std::atomic<bool> stop_{false};
  std::size_t stop_after_ = 0;
  std::vector<Sample> recorded_;
  int last_done_ = 0;
  Progress first_;
};

// Every repetition counts, however long it took.
TEST(VisitRate, IsWorkPerSecond) {
  Sample sample;
  EXPECT_EQ(visit_rate(sample), 0);
  for (const Kind kind : {Kind::bandwidth, Kind::latency}) {
    sample.spec.kind = kind;
    sample.work = {5, 20, 10, 40};
    sample.seconds = {1, 4, 2, 8};
    EXPECT_DOUBLE_EQ(visit_rate(sample), 5);
  }
  sample.work.front() = 1000;  // a latency is the median
  EXPECT_DOUBLE_EQ(visit_rate(sample), 5);
}

TEST_F(Campaign, VisitsEverythingOnceARound) {
  const Plan all = plan();
  const Outcome outcome = go(all);
  expect_complete(all);
  EXPECT_FALSE(outcome.interrupted);
  EXPECT_FALSE(outcome.out_of_budget);
  EXPECT_GT(first_.seconds_left, 0);
  EXPECT_EQ(static_cast<std::size_t>(outcome.measured + outcome.invalid + outcome.skipped), recorded_.size());
}

// Visits without threads, of which one is disturbed.
TEST_F(Campaign, RepeatsWhatWasDisturbedAndNothingElse) {
  const Plan all = plan();
  std::map<std::string, int> visits;
  const Hooks hooks = {[](const Sample&) {}, [](const Progress&) {},
                       [](const std::vector<double>&) { return 1.0; },
                       [&](const gable::bench::Run& run, int round) {
                         Sample sample;
                         sample.spec = run.cases.front();
                         sample.round = round;
                         sample.seconds = sample.work = {1};
                         const int seen = ++visits[key(sample.spec)];
                         const bool disturbed = visits.size() == 2 && seen == 1;
                         sample.status = disturbed ? Status::invalid : Status::ok;
                         std::this_thread::sleep_for(std::chrono::milliseconds(1));
                         return std::vector{sample};
                       }};
  const Outcome outcome = run_campaign(machine_, {}, all, options_, {}, hooks, stop_);
  EXPECT_EQ(outcome.invalid, 1);
  int more = 0;
  for (const auto& [spec, count] : visits) more += count - preset_.rounds;
  EXPECT_LE(more, 1) << "and that if there is time left";
}

TEST_F(Campaign, GoesOnWhereItWasStopped) {
  const Plan all = plan();
  for (std::size_t after = 3; after < 20; after += 5) {
    stop_ = false;
    stop_after_ = recorded_.size() + after;
    const Outcome outcome = go(all, done());
    if (!stop_) continue;
    EXPECT_TRUE(outcome.interrupted);
    EXPECT_EQ(recorded_.size(), stop_after_);
  }
  stop_ = false;
  stop_after_ = 0;
  go(all, done());
  expect_complete(all);
  for (const Sample& sample : recorded_) EXPECT_NE(sample.stopped, "interrupted");
}

TEST_F(Campaign, NothingIsDoneTwice) {
  options_.only = {"fma"};
  const Plan all = plan();
  Done everything;
  for (const auto& run : all.runs) {
    for (int round = 0; round < run.rounds; ++round) everything[{key(run.cases.front()), round}] = 1;
  }
  go(all, everything);
  EXPECT_TRUE(recorded_.empty());
}

TEST_F(Campaign, AStopBeforeTheStartRecordsNothing) {
  stop_ = true;
  EXPECT_TRUE(go(plan()).interrupted);
  EXPECT_TRUE(recorded_.empty());
}

TEST_F(Campaign, WhatTheBudgetLeavesIsSkippedWithTheReason) {
  options_.budget_seconds = 0.1;
  const Plan all = plan();
  const Outcome outcome = go(all);
  EXPECT_TRUE(outcome.out_of_budget);
  EXPECT_GT(outcome.skipped, 0);
  std::map<std::string, int> skipped, seen;
  for (const Sample& sample : recorded_) {
    ++seen[key(sample.spec)];
    if (sample.status != Status::skipped) continue;
    ++skipped[key(sample.spec)];
    EXPECT_FALSE(sample.reason.empty());
  }
  for (const auto& run : all.runs) EXPECT_TRUE(seen.contains(key(run.cases.front())));
  for (const auto& [cell, times] : skipped) {
    EXPECT_EQ(times, 1) << cell;
    EXPECT_EQ(seen[cell], 1) << cell << " was visited";
  }
}

TEST_F(Campaign, WhatTheHookThrowsEndsIt) {
  const Hooks hooks = {[](const Sample&) { throw std::runtime_error("disk full"); }, [](const Progress&) {},
                       [](const std::vector<double>&) { return 1.0; }};
  EXPECT_THROW(run_campaign(machine_, {}, plan(), options_, {}, hooks, stop_), std::runtime_error);
}

TEST_F(Campaign, WhatCannotBeRunIsSaidOnce) {
  options_.only = {"pattern=remote,op=load", "pattern=contended,op=load", "fma,dp"};
  for (gable::machines::Core& core : machine_.clusters.front().cores) core.pus = {50'000};
  machine_.clusters.front().cores.resize(1);
  machine_.clusters.resize(1);
  const Plan all = plan();
  for (const auto& run : all.runs) go({{run}, run.seconds, 0, all.rounds});
  for (const Sample& sample : recorded_) {
    EXPECT_EQ(sample.status, Status::skipped);
    EXPECT_FALSE(sample.reason.empty());
  }
  EXPECT_FALSE(recorded_.empty());
}

// Two clusters on one node, each with its own core, compete in one run that gives two Samples.
TEST_F(Campaign, ARunOfTwoClustersGivesTwoSamples) {
  auto& cores = machine_.clusters.front().cores;
  if (cores.size() < 2) GTEST_SKIP() << "one core: no two clusters";
  auto second = machine_.clusters.front();
  second.index = 1;
  second.cores = {cores[1]};
  cores.resize(1);
  machine_.clusters = {machine_.clusters.front(), second};
  options_.only = {"pattern=contended,op=load"};
  Plan all = plan();
  all.runs.resize(1);
  for (auto& run : all.runs) {
    for (auto& spec : run.cases) spec.bytes = 1 << 20;
  }
  go(all);
  expect_complete(all);
  for (const Sample& sample : recorded_) EXPECT_EQ(sample.cpus.size(), 1u);
}

// The output of a dry run with a budget.
TEST_F(Campaign, ABudgetReachesTheFirstVisitsThatFit) {
  const Plan plan = this->plan();
  const auto visits = open_visits(plan, {});
  ASSERT_GT(visits.size(), 2u);
  EXPECT_EQ(within_budget(visits, 0), visits.size());
  EXPECT_EQ(within_budget(visits, 1e-9), 0u);
  EXPECT_EQ(within_budget(visits, 1e9), visits.size());
  double seconds = 0;
  Costs costs;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const double before = seconds;
    if (!visits[i].run->skip.empty()) continue;
    seconds += costs.next(*visits[i].run).total();
    EXPECT_EQ(within_budget(visits, (before + seconds) / 2), i);
    EXPECT_GT(within_budget(visits, seconds), i) << "it ends with the budget";
  }
}

TEST_F(Campaign, WhatIsDoneIsNotOpen) {
  const Plan plan = this->plan();
  Done done;
  for (const OpenVisit& visit : open_visits(plan, {})) {
    for (const auto& spec : visit.run->cases) done[{key(spec), visit.round}] = 1;
  }
  EXPECT_TRUE(open_visits(plan, done).empty());
  const auto last = done.rbegin()->first;
  done.erase(last);
  const auto left = open_visits(plan, done);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left.front().round, last.second);
}

}  // namespace
