// Which pages are queried for their node, and how numa_maps is parsed.

#include "bench/buffers/residence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace {

using namespace gable::bench;

TEST(Residence, EveryPageIsAskedForWhileTheyAreFew) {
  const auto chosen = representative_pages(1000, 1000);
  ASSERT_EQ(chosen.size(), 1000u);
  for (std::size_t i = 0; i < chosen.size(); ++i) EXPECT_EQ(chosen[i], i);
}

TEST(Residence, APartFindsAlternatingPagesOnEveryNode) {
  for (const std::size_t pages : {16385u, 32768u, 65536u, 131072u, 1000000u}) {
    for (std::size_t nodes = 2; nodes <= 16; ++nodes) {
      const auto chosen = representative_pages(pages, 16384);
      EXPECT_LE(chosen.size(), 16384u);
      EXPECT_TRUE(std::ranges::is_sorted(chosen));
      EXPECT_LT(chosen.back(), pages);
      std::vector<double> found(nodes, 0);
      for (const std::size_t page : chosen) ++found[page % nodes];
      const double fair = static_cast<double>(chosen.size()) / static_cast<double>(nodes);
      for (const double here : found) EXPECT_NEAR(here, fair, 0.1 * fair) << pages << " over " << nodes;
    }
  }
}

TEST(Residence, NumaMapsAreReadByAddress) {
  std::istringstream maps(
      "00400000 default file=/bin/x mapped=7 N0=7 kernelpagesize_kB=4\n"
      "7f0000000000 bind:1 anon=512 dirty=512 N1=500 N3=12 kernelpagesize_kB=4\n"
      "7f0000400000 default\n");
  EXPECT_EQ(mapped_pages(maps, 0x7f0000001000), (std::map<int, std::uint64_t>{{1, 500}, {3, 12}}));
  // A buffer usually begins where its mapping does.
  maps.clear();
  maps.seekg(0);
  EXPECT_EQ(mapped_pages(maps, 0x7f0000000000), (std::map<int, std::uint64_t>{{1, 500}, {3, 12}}));
  std::istringstream empty("7f0000400000 default\n");
  EXPECT_TRUE(mapped_pages(empty, 0x7f0000400000).empty());
}

}  // namespace
