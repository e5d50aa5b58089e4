// Memory-side caches: data that fits into them is not measured as the memory behind them.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "machines.hpp"
#include "model/records/records.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::options_of;
using gable::machines::Machine;
using gable::model::Case;
using gable::model::Pattern;

std::vector<gable::bench::Run> contended(const Machine& machine, int node) {
  return make_plan(machine, {}, options_of("quick", {"pattern=contended,node=" + std::to_string(node)})).runs;
}

std::uint64_t data_of(const gable::bench::Run& run) {
  std::uint64_t bytes = 0;
  for (const Case& spec : run.cases) bytes += spec.bytes * static_cast<std::uint64_t>(spec.threads);
  return bytes;
}

void expect_skipped(const std::vector<gable::bench::Run>& runs, bool skipped) {
  ASSERT_FALSE(runs.empty());
  for (const auto& run : runs) {
    EXPECT_EQ(sentence(run.skip).find("memory-side caches") != std::string::npos, skipped)
        << sentence(run.skip);
    EXPECT_EQ(run.skip.empty(), !skipped) << sentence(run.skip);
  }
}

TEST(SideCache, ContendedDataThatTheyHoldAreSkipped) {
  const Machine machine =
      gable::machines::from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/memory-side-cache.xml");
  for (const int node : {0, 1}) expect_skipped(contended(machine, node), true);
}

// A cell that the cache holds is of the cache's level; the memory behind it has cells of its own, twice as
// large as the cache, or a reason why not. This holds in every preset.
TEST(SideCache, NoCellThatTheyHoldIsCalledMemory) {
  const Machine machine =
      gable::machines::from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/memory-side-cache.xml");
  const std::string level = gable::machines::memory_side_cache_level(machine).name();
  for (const char* preset : {"quick", "standard", "full"}) {
    std::map<std::string, int> cells;  // by level, kind and pattern
    for (const auto& run : make_plan(machine, {}, options_of(preset)).runs) {
      const Case& first = run.cases.front();
      if (!is_in_memory(first.pattern) || !run.skip.empty()) continue;
      const std::uint64_t cache = machine.nodes.front().memory_side_cache_bytes;
      if (is_memory(first.level)) {
        EXPECT_TRUE(run.first_pass) << name_of(first.pattern);
        EXPECT_GE(data_of(run), 2 * cache * run.cases.size()) << name_of(first.pattern);
        EXPECT_EQ(first.tier, gable::model::Tier::dram);
      } else {
        EXPECT_EQ(first.level.name(), level);
        EXPECT_FALSE(run.first_pass);
        EXPECT_LE(first.bytes, cache);
      }
      ++cells[first.level.name() + " " + name_of(first.kind) + " " + name_of(first.pattern)];
    }
    for (const char* pattern : {"local", "local_all", "congested"}) {
      EXPECT_GT(cells["memory bandwidth " + std::string(pattern)], 0) << preset;
      EXPECT_GT(cells[level + " bandwidth " + pattern], 0) << preset;
    }
    EXPECT_GT(cells[level + " latency local"], 0) << preset;
    EXPECT_EQ(cells["memory latency local"], 0) << preset;
  }
}

// The level behind a cache of 16 GiB costs minutes, not hours.
TEST(SideCache, MemoryBehindALargeCacheTakesMinutes) {
  Machine machine = tests::sockets(2, 16);
  for (auto& node : machine.nodes) node.memory_side_cache_bytes = std::uint64_t{16} << 30;
  const Options only = options_of("standard", {"level=memory"});
  const Plan plan = make_plan(machine, {}, only);
  EXPECT_LE(plan.seconds, 600);
  EXPECT_TRUE(
      std::any_of(plan.runs.begin(), plan.runs.end(), [](const auto& run) { return run.first_pass; }));
  for (auto& node : machine.nodes) node.bytes = std::uint64_t{40} << 30;  // too little for twice the cache
  for (const auto& run : make_plan(machine, {}, only).runs) EXPECT_FALSE(run.skip.empty());
}

// A published machine may give no sizes of its nodes.
TEST(SideCache, NodesOfUnknownSizeAreTakenToBeLargeEnough) {
  Machine machine = tests::sockets(2, 16);
  for (auto& node : machine.nodes) {
    node.memory_side_cache_bytes = std::uint64_t{16} << 30;
    node.bytes = 0;
  }
  const auto runs =
      make_plan(machine, {}, options_of("standard", {"level=memory,pattern=local,op=load"})).runs;
  EXPECT_TRUE(std::ranges::any_of(runs, [](const auto& run) { return run.skip.empty() && run.first_pass; }));
}

// The largest caches that do not hold the data, and the smallest that do; the caches of both sockets count.
TEST(SideCache, OneByteDecides) {
  Machine machine = tests::sockets(2, 4);
  const std::uint64_t data = data_of(contended(machine, 0).front());
  machine.nodes[0].memory_side_cache_bytes = data / 2;
  machine.nodes[1].memory_side_cache_bytes = data - data / 2;
  expect_skipped(contended(machine, 0), true);
  expect_skipped(contended(machine, 1), true);
  for (const auto& run : contended(machine, 0))
    EXPECT_NE(sentence(run.skip).find("fits in"), std::string::npos);
  --machine.nodes[1].memory_side_cache_bytes;
  for (const auto& run : contended(machine, 0))
    EXPECT_NE(sentence(run.skip).find("hold a part"), std::string::npos);
  machine.nodes[0].memory_side_cache_bytes = machine.nodes[1].memory_side_cache_bytes = data / 4;
  for (const auto& run : contended(machine, 0))
    EXPECT_TRUE(run.skip.empty() && run.first_pass) << sentence(run.skip);
}

TEST(SideCache, ANodeWithoutOneIsMeasured) {
  Machine machine = tests::sockets(2, 4);
  machine.nodes[1].memory_side_cache_bytes = 1u << 31;
  expect_skipped(contended(machine, 0), false);
  expect_skipped(contended(machine, 1), true);
}

// A node with a cache and one without: whatever the sizes, the figure would be of neither memory nor cache.
TEST(SideCache, DataOfWhichOnlyAPartLiesBehindOneAreSkipped) {
  Machine machine = tests::sockets(2, 4);
  for (const std::uint64_t cache : {tests::MiB, 2048 * tests::MiB, 65536 * tests::MiB}) {
    machine.nodes[1].memory_side_cache_bytes = cache;
    for (const char* pattern : {"pattern=congested", "pattern=local_all"}) {
      const auto runs = make_plan(machine, {}, options_of("full", {pattern})).runs;
      EXPECT_FALSE(runs.empty());
      for (const auto& run : runs) {
        if (sentence(run.skip).find(" has no ") != std::string::npos)
          continue;  // a kernel that this CPU lacks
        EXPECT_NE(sentence(run.skip).find("part of the data that lies behind it"), std::string::npos)
            << sentence(run.skip);
      }
    }
  }
}

// A KNL with half of its MCDRAM as cache in front of plain memory; the other half is an ordinary node.
TEST(SideCache, TheHybridKnl) {
  const std::string path = GABLE_SOURCE_DIR "/../shared/topologies/64intel64-fakeKNL-SNC4-hybrid.xml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const Machine machine = gable::machines::from_xml(path);
  for (const auto& node : machine.nodes) {
    expect_skipped(contended(machine, static_cast<int>(node.os_index)),
                   node.tier == gable::model::Tier::dram);
  }
}

// In cache mode the MCDRAM is no node: no cell names it.
TEST(SideCache, MemoryThatIsAllCacheHasNoCells) {
  const Machine machine =
      gable::machines::from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/memory-side-cache.xml");
  for (const auto& run : make_plan(machine, {}, options_of("full")).runs) {
    for (const Case& spec : run.cases)
      EXPECT_TRUE(spec.tier == gable::model::Tier::dram || spec.tier.empty() || is_side_cache(spec.level))
          << name_of(spec.tier);
  }
}

}  // namespace
