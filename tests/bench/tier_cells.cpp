// The plan of the memory benchmarks of tiers has every way, size, order and number of threads that the CPU
// can do.

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>
#include <string>

#include "bench/memory/tier_cells.hpp"

namespace {

using namespace gable::bench;
using gable::machines::Cluster;
using gable::machines::Core;
using gable::model::TierSample;
namespace kernels = gable::kernels;

constexpr std::uint32_t everything =
    kernels::sse2 | kernels::avx2 | kernels::fma | kernels::avx512f | kernels::clflushopt | kernels::clwb;

Cluster cluster_of(unsigned cores, unsigned siblings) {
  Cluster cluster;
  for (unsigned i = 0; i < cores; ++i) {
    Core& core = cluster.cores.emplace_back();
    for (unsigned s = 0; s < siblings; ++s) core.pus.push_back(i * siblings + s);
  }
  return cluster;
}

TEST(TierCells, EveryWaySizeOrderAndNumberOfThreads) {
  const auto cells = tier_cells("DRAM", cluster_of(6, 2), {}, everything);
  std::map<std::string, std::set<int>> threads;
  std::set<std::uint64_t> sizes;
  std::map<std::uint64_t, std::set<int>> reads;
  int blocks = 0;
  for (const TierCell& cell : cells) {
    ASSERT_NE(cell.kernel, nullptr) << sentence(cell.skip);
    EXPECT_STREQ(cell.kernel->isa, cell.spec.what == "latency" ? "x86" : "avx512");
    if (cell.spec.access_bytes > 0 && is_load(cell.spec)) {
      EXPECT_EQ(cell.kernel->load_bytes, cell.spec.access_bytes);
      EXPECT_EQ(cell.spec.order, "random");
      reads[cell.spec.access_bytes].insert(cell.spec.smt ? -cell.spec.threads : cell.spec.threads);
    } else if (cell.spec.access_bytes > 0) {
      ++blocks;
      EXPECT_EQ(cell.kernel->store_bytes, cell.spec.access_bytes);
      sizes.insert(cell.spec.access_bytes);
      EXPECT_FALSE(cell.spec.smt);
    } else {
      threads[cell.spec.what].insert(cell.spec.smt ? -cell.spec.threads : cell.spec.threads);
    }
  }
  const std::set<int> counts = {1, 2, 4, 6, -12};
  for (const char* what : {"load", "store", "copy", "scale", "add", "triad"})
    EXPECT_EQ(threads[what], counts);
  EXPECT_EQ(threads["latency"], std::set<int>{1});
  EXPECT_EQ(sizes, (std::set<std::uint64_t>{64, 128, 256, 512, 1024, 2048, 4096}));
  EXPECT_EQ(blocks, 3 * 7 * 2 * 4);
  EXPECT_EQ(reads, (std::map<std::uint64_t, std::set<int>>{{64, counts}, {256, counts}}));
}

TEST(TierCells, WhatACpuCannotDoIsSkippedAndSaid) {
  const auto cells = tier_cells("DRAM", cluster_of(1, 1), {}, kernels::sse2 | kernels::clflushopt);
  std::map<std::string, int> measured, skipped;
  for (const TierCell& cell : cells) {
    if (cell.spec.smt) {
      EXPECT_EQ(cell.skip, gable::model::NoteCode::no_second_threads);
      continue;
    }
    ++(cell.skip.empty() ? measured : skipped)[cell.spec.way];
    EXPECT_EQ(cell.kernel == nullptr, !cell.skip.empty());
    if (cell.spec.way == "clwb") {
      EXPECT_EQ(cell.skip, (gable::model::Note{gable::model::NoteCode::no_instructions, {"CLWB"}}));
    }
  }
  EXPECT_EQ(measured["clwb"], 0);
  EXPECT_EQ(skipped["clwb"], 1 + 14);
  EXPECT_EQ(measured["clflushopt"], 1 + 14);  // replaces clwb
  EXPECT_EQ(skipped["nt"] + skipped["store"] + skipped[""], 0);
}

TEST(TierCells, SharesArePowersOfTwoAndCoverTheSet) {
  for (const int threads : {1, 2, 3, 18, 64, 100}) {
    for (const std::uint64_t bytes :
         {std::uint64_t{1}, std::uint64_t{100} << 20, (std::uint64_t{1} << 30) + 1}) {
      const std::uint64_t share = tier_share(bytes, threads);
      EXPECT_TRUE(std::has_single_bit(share));
      EXPECT_GE(share * static_cast<std::uint64_t>(threads), bytes);
      EXPECT_TRUE(share == 64 << 10 || share * static_cast<std::uint64_t>(threads) <
                                           2 * bytes + 2 * static_cast<std::uint64_t>(threads));
    }
  }
}

}  // namespace
