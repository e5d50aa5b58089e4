// The threads and data locations of each pattern, on hand-written machines.

#include "bench/plan/patterns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bench/schedule/make_plan.hpp"

namespace {

using namespace gable;
using bench::Target;

// Two clusters, each with two DRAM nodes and the first with an HBM node as well; one CPU-less CXL node; one
// empty node.
machines::Machine machine_of_two() {
  machines::Machine machine;
  for (int c = 0; c < 2; ++c) {
    machines::Cluster cluster;
    cluster.index = c;
    cluster.cores = {{{static_cast<unsigned>(2 * c)}}, {{static_cast<unsigned>(2 * c + 1)}}};
    cluster.caches = {{1, 32768, 2, 1, 1}, {2, 1u << 20, 2, 1, 1}, {3, 16u << 20, 1, 2, 2}};
    machine.clusters.push_back(cluster);
  }
  const auto add = [&](unsigned index, const std::string& tier, std::uint64_t bytes,
                       const std::vector<int>& local_to) {
    machines::Node node;
    node.os_index = index;
    node.tier = *gable::model::tiers_named(tier);
    node.bytes = bytes;
    node.local_to = local_to;
    machine.nodes.push_back(node);
    for (const int c : local_to) machine.clusters[static_cast<std::size_t>(c)].nodes.push_back(index);
  };
  constexpr std::uint64_t GiB = 1u << 30;
  add(0, "DRAM", 8 * GiB, {0});
  add(1, "DRAM", 8 * GiB, {1});
  add(2, "DRAM", 8 * GiB, {0});
  add(3, "DRAM", 8 * GiB, {1});
  add(4, "HBM", GiB, {0});
  add(5, "CXL", 8 * GiB, {});
  add(6, "DRAM", 0, {});
  return machine;
}

std::vector<Target> targets(const std::string& name, const machines::Machine& machine) {
  for (const bench::MemoryPattern& each : bench::memory_patterns()) {
    if (name_of(each.pattern) == name) return each.targets(machine);
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(Patterns, EveryPairIsLocalOrRemoteAndAnEmptyNodeIsNeither) {
  const auto machine = machine_of_two();
  std::map<std::pair<int, unsigned>, int> pairs;
  for (const char* name : {"local", "remote"}) {
    for (const Target& target : targets(name, machine)) {
      ASSERT_EQ(target.shares.size(), 1u);
      ++pairs[{target.shares[0].cluster, target.shares[0].nodes.at(0)}];
    }
  }
  EXPECT_EQ(pairs.size(), 2u * 6u);
  for (const auto& [pair, count] : pairs) {
    EXPECT_EQ(count, 1);
    EXPECT_NE(pair.second, 6u);
  }
}

TEST(Patterns, LocalAllVisitsEveryLocalNodeOfATierOnce) {
  const auto machine = machine_of_two();
  std::map<unsigned, int> visits;
  for (const Target& target : targets("local_all", machine)) {
    if (!target.skip.empty()) {
      EXPECT_TRUE(target.tier == gable::model::Tier::hbm || target.tier == gable::model::Tier::cxl)
          << name_of(target.tier);
      continue;
    }
    EXPECT_EQ(target.shares.size(), 2u);
    for (const bench::Share& share : target.shares) ++visits[share.nodes.at(0)];
  }
  EXPECT_EQ(visits, (std::map<unsigned, int>{{0, 1}, {1, 1}, {2, 1}, {3, 1}}));
}

// Every cluster runs over every node that has memory, whatever its tier, as numactl --interleave=all does.
TEST(Patterns, CongestedRunsOverAllTiersToo) {
  const auto machine = machine_of_two();
  const std::vector<Target> all = targets("congested", machine);
  const auto everywhere = std::ranges::find(all, *gable::model::tiers_named("CXL+DRAM+HBM"), &Target::tier);
  ASSERT_NE(everywhere, all.end());
  EXPECT_TRUE(everywhere->skip.empty());
  ASSERT_EQ(everywhere->shares.size(), 2u);
  for (const bench::Share& share : everywhere->shares)
    EXPECT_EQ(share.nodes, (std::vector<unsigned>{0, 1, 2, 3, 4, 5}));
  auto dram_only = machine;
  std::erase_if(dram_only.nodes,
                [](const machines::Node& node) { return node.tier != gable::model::Tier::dram; });
  EXPECT_EQ(targets("congested", dram_only).size(), 1u);
}

// Two kinds of cores on one node: each has peaks, caches and memory of its own, and no run counts the cores
// of both as one cluster's.
TEST(Patterns, KindsOfCoresAreNeverMixed) {
  machines::Machine machine = machine_of_two();
  machine.nodes.resize(1);
  machine.nodes[0].local_to = {0, 1};
  for (machines::Cluster& cluster : machine.clusters) cluster.nodes = {0};
  bench::Options options;
  options.preset = bench::find_preset("standard");
  std::map<std::string, std::map<int, int>> cells;
  for (const bench::Run& run : bench::make_plan(machine, {}, options).runs) {
    if (!run.skip.empty()) continue;
    std::map<int, int> in_run;
    for (const model::Case& spec : run.cases) {
      EXPECT_LE(spec.threads, 2);
      EXPECT_EQ(++in_run[spec.cluster], 1);
      ++cells[name_of(spec.kind) + " " + spec.level.name()][spec.cluster];
    }
  }
  for (const auto& [cell, by_cluster] : cells) EXPECT_EQ(by_cluster.at(0), by_cluster.at(1)) << cell;
  EXPECT_TRUE(cells.contains("flops core"));
  // Nor is one kind taken to be like the other, even with the same number of cores and the same caches.
  const auto has_twins = [&] {
    const bench::Plan plan = bench::make_plan(machine, {}, options);
    return std::ranges::any_of(plan.runs, [](const bench::Run& run) { return !run.twin.empty(); });
  };
  EXPECT_TRUE(has_twins());
  machine.clusters[0].kind = "P";
  machine.clusters[1].kind = "E";
  EXPECT_FALSE(has_twins());
  for (const Target& target : targets("local_all", machine))
    EXPECT_NE(sentence(target.skip).find("share their node"), std::string::npos);
}

TEST(Patterns, InterleavedBuffersHaveSeveralPagesOnEveryNode) {
  auto machine = machine_of_two();
  machine.clusters[0].cores.assign(64, {{0}});  // many threads: few pages each
  bench::Options options;
  options.preset = bench::find_preset("quick");
  options.only = {"pattern=congested,op=load"};
  for (const bench::Run& run : bench::make_plan(machine, {}, options).runs) {
    if (!run.skip.empty()) continue;
    for (std::size_t i = 0; i < run.cases.size(); ++i) {
      const std::uint64_t page = run.cases[i].pages.bytes();
      EXPECT_GE(run.cases[i].bytes / page / run.shares[i].nodes.size(), 8u);
    }
  }
}

TEST(Patterns, AMemorySideCacheIsNamedWithTheFigures) {
  auto machine = machine_of_two();
  machine.nodes[0].memory_side_cache_bytes = 1u << 30;
  bench::Options options;
  options.preset = bench::find_preset("quick");
  options.only = {"pattern=local,op=load,node=0", "pattern=local,op=load,node=1"};
  for (const bench::Run& run : bench::make_plan(machine, {}, options).runs) {
    EXPECT_EQ(run.notes.empty(), run.cases[0].node == 1);
    if (!run.notes.empty()) {
      using gable::model::NoteCode;
      const NoteCode code = run.first_pass ? NoteCode::side_cache_exceeded : NoteCode::side_cache_holds;
      EXPECT_EQ(run.notes[0], (gable::model::Note{code, {0.0, 1024.0}}));
      EXPECT_EQ(run.cases[0].level.name(), run.first_pass ? "memory" : "MSC");
    }
  }
}

}  // namespace
