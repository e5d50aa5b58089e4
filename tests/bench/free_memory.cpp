// Free memory of a node, without the kernel's reserve.

#include "bench/buffers/free_memory.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

using namespace gable::bench;

std::uint64_t reserved(const std::string& zoneinfo, unsigned node) {
  std::istringstream in(zoneinfo);
  return reserved_pages(in, node);
}

constexpr const char* two_nodes = R"(Node 0, zone      DMA
  per-node stats
      nr_inactive_anon 6
  pages free     3840
        boost    0
        min      66
        low      82
        high     98
        spanned  4095
        present  3998
        managed  3840
        cma      0
        protection: (0, 1899, 1899, 1899)
  pagesets
    cpu: 0
              count: 0
              high:  63
              batch: 1
Node 0, zone    DMA32
  pages free     111
        high     12490
        managed  486412
        protection: (0, 0, 120, 0)
Node 11, zone   Normal
  pages free     5
        high     700
        managed  500
        protection: (0, 0, 0, 0)
)";

TEST(FreeMemory, WhatTheKernelKeepsIsItsOwn) {
  EXPECT_EQ(reserved(two_nodes, 0), 98u + 1899u + 12490u + 120u);
  EXPECT_EQ(reserved(two_nodes, 11), 500u) << "no more than there is";
  EXPECT_EQ(reserved(two_nodes, 1), 0u);
  EXPECT_EQ(reserved("", 0), 0u);
}

// The kernel reserves at least the sum of its minimum watermarks.
TEST(FreeMemory, OfThisHost) {
  std::ifstream zoneinfo("/proc/zoneinfo"), setting("/proc/sys/vm/min_free_kbytes");
  std::uint64_t least_kib = 0;
  if (!zoneinfo || !(setting >> least_kib)) GTEST_SKIP() << "no /proc/zoneinfo";
  std::uint64_t pages = 0;
  for (unsigned node = 0; node < 1024; ++node) {
    zoneinfo.clear();
    zoneinfo.seekg(0);
    pages += reserved_pages(zoneinfo, node);
  }
  EXPECT_GT(pages, 0u);
  EXPECT_GE(pages * 4 + 1024, least_kib);
  EXPECT_FALSE(free_bytes(4000).has_value());
}

TEST(FreeMemory, CleanPagesOfFilesAreFree) {
  const auto free_kib = [](const std::string& dirty) {
    std::istringstream meminfo(
        "Node 11 MemTotal: 90000 kB\nNode 11 MemFree: 20000 kB\nNode 11 Dirty: " + dirty +
        " kB\nNode 11 Mapped: 100 kB\nNode 11 Active(file): 3000 kB\n"
        "Node 11 Inactive(file): 500 kB\nNode 11 FilePages: 9000 kB\n"
        "Node 11 SReclaimable: 40 kB\n");
    std::istringstream zoneinfo("");
    return free_bytes(meminfo, zoneinfo, 11).value_or(0) / 1024;
  };
  EXPECT_EQ(free_kib("7"), 20000u + 3540 - 107);
  EXPECT_EQ(free_kib("7000"), 20000u) << "all of it is to be written";
  std::istringstream without("Node 11 MemTotal: 90000 kB\n"), zoneinfo(two_nodes);
  EXPECT_FALSE(free_bytes(without, zoneinfo, 11));
}

TEST(FreeMemory, ABoostOfTheWatermarkIsNotHeldBack) {
  const auto node_of = [](const std::string& boost, const std::string& high) {
    return reserved("Node 1, zone   Normal\n  pages free 9\n  boost " + boost + "\n  high " + high +
                        "\n  managed 100000\n  protection: (0, 0)\n",
                    1);
  };
  EXPECT_EQ(node_of("14000", "23615"), node_of("0", "9615"));
  EXPECT_EQ(node_of("0", "9615"), 9615u);
}

}  // namespace
