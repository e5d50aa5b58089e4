// Tiers: the meaning of names, the location of their memory, and error messages.

#include "bench/tiers/tier.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "bench/tiers/mechanisms.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
namespace fs = std::filesystem;
using gable::machines::Cluster;
using gable::machines::Machine;
using gable::machines::Node;

constexpr std::size_t some = 5u << 20;

// Two clusters with DRAM 0 and 1; CXL 2 and 3 belong to none, 3 nearer to cluster 0.
Machine two_clusters() {
  Machine machine;
  machine.clusters.resize(2);
  machine.clusters[0].nodes = {0};
  machine.clusters[1].index = 1;
  machine.clusters[1].nodes = {1};
  for (const auto& [index, tier] : {std::pair(0u, "DRAM"), {1u, "DRAM"}, {2u, "CXL"}, {3u, "CXL"}}) {
    Node node;
    node.os_index = index;
    node.tier = *gable::model::tiers_named(tier);
    node.bytes = 1 << 30;
    machine.nodes.push_back(node);
  }
  machine.distances = {{10, 21, 30, 24}, {21, 10, 24, 30}, {30, 24, 10, 40}, {24, 30, 40, 10}};
  return machine;
}

std::string error_of(const std::string& name, const Machine& machine) {
  try {
    find_tier(name, machine, 0);
  } catch (const gable::Error& error) {
    return error.what();
  }
  return "no error";
}

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

// Every byte can be written and is what was written.
void expect_usable(Region& region, std::size_t bytes) {
  ASSERT_EQ(region.bytes().size(), bytes);
  std::memset(region.bytes().data(), 0x5a, bytes);
  EXPECT_TRUE(std::ranges::all_of(region.bytes(), [](std::byte b) { return b == std::byte{0x5a}; }));
}

TEST(Tiers, ATierIsTheNearestOfItsNodes) {
  const Machine machine = two_clusters();
  EXPECT_EQ(find_tier("DRAM", machine, 0).node, 0u);
  EXPECT_EQ(find_tier("DRAM", machine, 1).node, 1u);
  EXPECT_EQ(find_tier("CXL", machine, 0).node, 3u);
  EXPECT_EQ(find_tier("CXL", machine, 1).node, 2u);
  EXPECT_EQ(find_tier("node:1", machine, 0).node, 1u);
  EXPECT_EQ(find_tier("node:3", machine, 0).kind, gable::model::Tier::cxl);
}

TEST(Tiers, WhatIsNotThere) {
  const Machine machine = two_clusters();
  EXPECT_HAS(error_of("HBM", machine), "no HBM node");
  EXPECT_HAS(error_of("node:4", machine), "no memory node 'node:4'");
  EXPECT_HAS(error_of("node:", machine), "no memory node");
  EXPECT_HAS(error_of("node:1x", machine), "no memory node");
  EXPECT_HAS(error_of("dram", machine), "no tier 'dram'");
  EXPECT_HAS(error_of("/no/such/folder/file", machine), "/no/such/folder: no such folder");
  EXPECT_HAS(error_of("memkind:nothing", machine), "memkind");
}

TEST(Tiers, MemoryOfANodeLiesThere) {
  const Machine machine = gable::machines::this_machine();
  const unsigned index = machine.nodes.front().os_index;
  const Tier tier = find_tier("node:" + std::to_string(index), machine, 0);
  EXPECT_GT(tier.free_bytes().value_or(some), 0u);
  const auto region = tier.take(some);
  expect_usable(*region, some);
  EXPECT_TRUE(region->misplaced().empty());
  EXPECT_FALSE(region->persistent());
  std::uint64_t bytes = 0;
  for (const auto& [node, here] : region->residence()) {
    EXPECT_EQ(node, static_cast<int>(index));
    bytes += here;
  }
  EXPECT_GE(bytes, some);
}

TEST(Tiers, UntouchedMemoryIsNotTakenForPlaced) {
  SKIP_WITHOUT_NUMA();
  const Machine machine = gable::machines::this_machine();
  const auto region =
      find_tier("node:" + std::to_string(machine.nodes.front().os_index), machine, 0).take(some);
  EXPECT_EQ(region->misplaced().code, gable::model::NoteCode::pages_not_in_memory);
}

TEST(Tiers, AFileThatIsNotOnDaxIsNotPersistentMemory) {
  const std::string folder = testing::TempDir() + "/gable-tiers-" + std::to_string(getpid());
  fs::create_directory(folder);
  for (const auto map : {map_plain, map_with_libpmem}) {
    for (const std::string& path : {folder, folder + "/gable-new-file"}) {
      const auto before = std::distance(fs::directory_iterator(folder), {});
      auto region = map(path, some);
      if (!region) continue;  // built without libpmem
      expect_usable(*region, some);
      EXPECT_FALSE(region->persistent());
      EXPECT_HAS(region->how(), "not persistent memory");
      EXPECT_FALSE(fs::exists(folder + "/gable-new-file"));
      EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), before) << "a file was left";
    }
  }
  fs::remove(folder);
}

TEST(Tiers, AFileThatIsThereIsNotTouched) {
  const gable::TemporaryFolder folder("precious");
  const std::string path = folder.path / "file";
  std::ofstream(path) << "precious";
  EXPECT_HAS(error_of(path, two_clusters()), "would be overwritten");
  std::string content;
  std::ifstream(path) >> content;
  EXPECT_EQ(content, "precious");
}

TEST(Tiers, AFileSystemThatIsTooSmallSaysSo) {
  for (const auto map : {map_plain, map_with_libpmem}) {
    try {
      if (map("/dev/shm", std::size_t{1} << 55) != nullptr) ADD_FAILURE() << "there is no such room";
    } catch (const gable::Error& error) {
      EXPECT_HAS(error.what(), "/dev/shm");
    }
  }
}

TEST(Tiers, MemkindsDefault) {
  try {
    const Tier tier = find_tier("memkind:default", two_clusters(), 0);
    const auto region = tier.take(some);
    expect_usable(*region, some);
    EXPECT_HAS(region->how(), "memkind");
  } catch (const gable::Error& error) {
    EXPECT_HAS(error.what(), "built without memkind");
  }
}

}  // namespace
