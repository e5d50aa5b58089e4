// Every plan is sound: no cell is there twice, threads and data have their places, its time is the sum of its
// runs, and it grows only with clusters times nodes.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "bench/plan/node_room.hpp"
#include "bench/schedule/make_plan.hpp"
#include "bench/schedule/regions.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::options_of;
using gable::bench::tests::sockets;
using gable::bench::tests::zoo;
using gable::machines::Cluster;
using gable::machines::Machine;
using gable::machines::Node;
using gable::model::Case;
using gable::model::Pattern;

void expect_no_stores_past_caches(const Plan& plan) {
  const auto is_past = [](const Case& c) {
    return c.pattern == Pattern::cache && is_non_temporal(c.op) && c.op != gable::model::Operation("load_nt");
  };
  for (const auto& run : plan.runs) EXPECT_FALSE(run.skip.empty() && std::ranges::any_of(run.cases, is_past));
}

void expect_no_cell_twice(const Plan& plan) {
  std::set<std::string> keys;
  for (const auto& run : plan.runs) {
    for (const Case& spec : run.cases) EXPECT_TRUE(keys.insert(key(spec)).second) << key(spec);
  }
}

void expect_different_clusters(const Machine& machine, const Run& run) {
  ASSERT_EQ(run.cases.size(), run.shares.size());
  std::set<int> clusters;
  std::set<unsigned> cpus;
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    EXPECT_EQ(run.cases[i].cluster, run.shares[i].cluster);
    EXPECT_TRUE(clusters.insert(run.cases[i].cluster).second);
    const Cluster& cluster = machine.clusters[static_cast<std::size_t>(run.cases[i].cluster)];
    for (const unsigned cpu : pus_of(cluster, run.cases[i].threads, false)) {
      EXPECT_TRUE(cpus.insert(cpu).second) << "CPU " << cpu << " would run two threads";
    }
  }
}

void expect_room(const Run& run) {
  for (std::size_t i = 0; i < run.cases.size() && run.skip.empty(); ++i) {
    const MemoryNeed need = need_of(run, i);
    EXPECT_LE(need.streams, run.shares[i].stream_room);
    EXPECT_LE(need.chase, run.shares[i].chase_room);
    const auto bytes = run.cases[i].bytes * static_cast<std::uint64_t>(run.cases[i].threads);
    EXPECT_GE(streams(run.cases[i].kind) ? need.streams : need.chase,
              streams(run.cases[i].kind) ? bytes : run.cases[i].bytes);
  }
}

// Data of caches lies where there is memory, too.
void expect_memory(const Machine& machine, const Run& run) {
  for (const Share& share : run.shares) {
    for (const unsigned index : share.nodes) {
      const auto node = std::ranges::find(machine.nodes, index, &Node::os_index);
      ASSERT_NE(node, machine.nodes.end());
      EXPECT_GT(node->bytes, 0u) << key(run.cases.front());
    }
  }
}

void expect_sums(const Plan& plan) {
  double sum = 0;
  int rounds = 0;
  for (const auto& run : plan.runs) {
    if (!run.skip.empty()) {
      EXPECT_EQ(run.seconds, 0);
      continue;
    }
    if (run.reserve) continue;
    EXPECT_GE(run.seconds, run.visit_seconds);
    sum += run.seconds * run.rounds;
    rounds = std::max(rounds, run.rounds);
  }
  EXPECT_NEAR(plan.seconds, sum, 1e-9 * sum);
  EXPECT_LT(plan.set_up_seconds, plan.seconds);
  EXPECT_EQ(plan.rounds, rounds);
}

// One test, because making the plans takes most of its time.
TEST(Plan, OfEveryMachineAndPresetIsSound) {
  for (const Machine& machine : zoo()) {
    for (const Preset& preset : presets()) {
      SCOPED_TRACE(testing::Message() << machine.cpu_model << " " << preset.name);
      const Plan plan = make_plan(machine, {}, options_of(preset.name.data()));
      expect_no_cell_twice(plan);
      expect_no_stores_past_caches(plan);
      expect_sums(plan);
      for (const auto& run : plan.runs) {
        expect_different_clusters(machine, run);
        expect_room(run);
        expect_memory(machine, run);
      }
    }
  }
}

TEST(Plan, NoCellIsThereTwiceWhenPagesAreNamedTwice) {
  Options options = options_of("quick");
  options.pages = {*gable::model::pages_named("4k"), *gable::model::pages_named("2m"),
                   *gable::model::pages_named("4k")};
  expect_no_cell_twice(make_plan(sockets(2, 4), {}, options));
}

// A quadratic polynomial in the number of sockets is linear in clusters x nodes.
TEST(Plan, GrowsWithClustersTimesNodes) {
  for (const Preset& preset : presets()) {
    std::map<int, double> runs;
    for (const int nodes : {2, 4, 6, 10}) {
      const Plan plan = make_plan(sockets(nodes, 4), {}, options_of(preset.name.data()));
      runs[nodes] = static_cast<double>(std::ranges::count_if(
          plan.runs, [](const auto& run) { return run.cases.front().pattern != Pattern::hybrid; }));
    }
    const double curvature = (runs[6] - 2 * runs[4] + runs[2]) / 8;
    const double slope = (runs[4] - runs[2]) / 2;
    EXPECT_NEAR(runs[10], runs[2] + slope * 8 + curvature * 8 * 6, 1e-6) << preset.name;
  }
}

TEST(Plan, MoreCoresAreHardlyMoreRuns) {
  for (const Preset& preset : presets()) {
    const std::size_t few = make_plan(sockets(2, 32), {}, options_of(preset.name.data())).runs.size();
    const std::size_t many = make_plan(sockets(2, 512), {}, options_of(preset.name.data())).runs.size();
    EXPECT_LE(static_cast<double>(many), 1.1 * static_cast<double>(few)) << preset.name;
  }
}

TEST(Plan, IsTheSameTwice) {
  const Machine machine = sockets(4, 4);
  const Plan a = make_plan(machine, {}, options_of("standard")),
             b = make_plan(machine, {}, options_of("standard"));
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (std::size_t i = 0; i < a.runs.size(); ++i) EXPECT_EQ(a.runs[i].cases, b.runs[i].cases);
}

}  // namespace
