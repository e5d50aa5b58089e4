// Memory-side caches: data that fits into them is not measured as the memory behind them.

#include "bench/plan/side_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::options_of;
using gable::machines::Machine;
using gable::model::Case;

std::vector<gable::bench::Run> contended(const Machine& machine, int node) {
  return make_plan(machine, {}, options_of("quick", {"pattern=contended,node=" + std::to_string(node)})).runs;
}

std::uint64_t data_of(const gable::bench::Run& run) {
  std::uint64_t bytes = 0;
  for (const Case& asked : run.cases) bytes += asked.bytes * static_cast<std::uint64_t>(asked.threads);
  return bytes;
}

void expect_skipped(const std::vector<gable::bench::Run>& runs, bool skipped) {
  ASSERT_FALSE(runs.empty());
  for (const auto& run : runs) {
    EXPECT_EQ(run.skip.find("memory-side caches") != std::string::npos, skipped) << run.skip;
    EXPECT_EQ(run.skip.empty(), !skipped) << run.skip;
  }
}

TEST(SideCache, ContendedDataThatTheyHoldAreSkipped) {
  const Machine machine =
      gable::machines::from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/memory-side-cache.xml");
  for (const int node : {0, 1}) expect_skipped(contended(machine, node), true);
  for (const char* pattern : {"local", "remote", "local_all"}) {
    for (const auto& run : make_plan(machine, {}, options_of("quick", {pattern})).runs) {
      EXPECT_EQ(run.skip, "") << pattern;
    }
  }
}

// The largest caches that do not hold the data, and the smallest that do; the caches of both sockets count.
TEST(SideCache, OneByteDecides) {
  Machine machine = tests::sockets(2, 4);
  const std::uint64_t data = data_of(contended(machine, 0).front());
  machine.nodes[0].memory_side_cache_bytes = data / 2;
  machine.nodes[1].memory_side_cache_bytes = data - data / 2;
  expect_skipped(contended(machine, 0), true);
  expect_skipped(contended(machine, 1), true);
  --machine.nodes[1].memory_side_cache_bytes;
  expect_skipped(contended(machine, 0), false);
}

TEST(SideCache, ANodeWithoutOneIsMeasured) {
  Machine machine = tests::sockets(2, 4);
  machine.nodes[1].memory_side_cache_bytes = 1u << 31;
  expect_skipped(contended(machine, 0), false);
  expect_skipped(contended(machine, 1), true);
}

// A KNL with half of its MCDRAM as cache in front of plain memory; the other half is an ordinary node.
TEST(SideCache, TheHybridKnl) {
  const std::string path = GABLE_SOURCE_DIR "/../shared/topologies/64intel64-fakeKNL-SNC4-hybrid.xml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const Machine machine = gable::machines::from_xml(path);
  for (const auto& node : machine.nodes) {
    expect_skipped(contended(machine, static_cast<int>(node.os_index)), node.tier == "DRAM");
  }
}

// In cache mode the MCDRAM is no node: no cell names it.
TEST(SideCache, MemoryThatIsAllCacheHasNoCells) {
  const Machine machine =
      gable::machines::from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/memory-side-cache.xml");
  for (const auto& run : make_plan(machine, {}, options_of("full")).runs) {
    for (const Case& asked : run.cases) EXPECT_TRUE(asked.tier == "DRAM" || asked.tier.empty()) << asked.tier;
  }
}

}  // namespace
