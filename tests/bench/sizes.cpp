// Working sets for the caches of real processors: inside their level, outside the previous one.

#include <gtest/gtest.h>

#include "bench/plan/plan.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::KiB;
using gable::bench::tests::MiB;
using gable::machines::Cache;
using gable::machines::Cluster;
using gable::machines::Core;

struct Processor {
  const char* name;
  int cores;
  int pus_per_core;
  std::vector<Cache> caches;
};

Cache cache(int level, std::uint64_t bytes, int cores_sharing, int cores, int pus_per_core = 1) {
  return {.level = level,
          .bytes = bytes,
          .largest_bytes = bytes,
          .count = cores / cores_sharing,
          .pus_sharing = cores_sharing * pus_per_core,
          .cores_sharing = cores_sharing,
          .inclusive = false};
}

Cluster cluster_of(const Processor& processor) {
  Cluster cluster;
  unsigned pu = 0;
  for (int c = 0; c < processor.cores; ++c) {
    Core& core = cluster.cores.emplace_back();
    for (int t = 0; t < processor.pus_per_core; ++t) core.pus.push_back(pu++);
  }
  cluster.caches = processor.caches;
  return cluster;
}

std::vector<Processor> processors() {
  return {
      {"Skylake-SP",
       28,
       2,
       {cache(1, 32 * KiB, 1, 28, 2), cache(2, MiB, 1, 28, 2), cache(3, 28 * 1408 * KiB, 28, 28, 2)}},
      {"Zen 4", 16, 2, {cache(1, 32 * KiB, 1, 16, 2), cache(2, MiB, 1, 16, 2), cache(3, 32 * MiB, 8, 16, 2)}},
      {"Knights Landing", 64, 4, {cache(1, 32 * KiB, 1, 64, 4), cache(2, MiB, 2, 64, 4)}},
      {"Grace", 72, 1, {cache(1, 64 * KiB, 1, 72), cache(2, MiB, 1, 72), cache(3, 114 * MiB, 72, 72)}},
      {"Sandy Bridge",
       8,
       2,
       {cache(1, 32 * KiB, 1, 8, 2), cache(2, 256 * KiB, 1, 8, 2), cache(3, 20 * MiB, 8, 8, 2)}},
      {"L1 alone", 4, 1, {cache(1, 32 * KiB, 1, 4)}},
      {"guest without L3", 4, 1, {cache(1, 32 * KiB, 1, 4), cache(2, 4 * MiB, 1, 4)}},
      {"guest with an L3 each",
       4,
       1,
       {cache(1, 32 * KiB, 1, 4), cache(2, 512 * KiB, 1, 4), cache(3, 16 * MiB, 1, 4)}},
  };
}

TEST(Sizes, AWorkingSetIsInsideItsLevelAndOutsideTheOneBefore) {
  for (const Processor& processor : processors()) {
    const Cluster cluster = cluster_of(processor);
    for (const bool smt : {false, true}) {
      const int most = smt ? processor.cores * processor.pus_per_core : processor.cores;
      for (int threads = 1; threads <= most; ++threads) {
        for (std::size_t i = 0; i < cluster.caches.size(); ++i) {
          SCOPED_TRACE(testing::Message() << processor.name << " level " << i + 1 << ", " << threads
                                          << " threads" << (smt ? " with SMT" : ""));
          const auto sharing = [&](std::size_t level) {
            const Cache& c = cluster.caches[level];
            return static_cast<std::uint64_t>(std::min(threads, smt ? c.pus_sharing : c.cores_sharing));
          };
          const std::uint64_t bytes = cache_working_set(cluster, i, threads, smt);
          ASSERT_GT(bytes, 0u);
          EXPECT_EQ(bytes % 4096, 0u);
          // The sharers of a level have its capacity, plus that of the previous levels if the caches are
          // exclusive.
          std::uint64_t room = cluster.caches[i].bytes;
          if (i > 0) {
            const std::uint64_t before = cluster.caches[i - 1].bytes / sharing(i - 1);
            EXPECT_GT(bytes, before);
            if (2 * before > room / sharing(i) / 8 * 7) room += before * sharing(i);
          }
          EXPECT_LT(bytes * sharing(i), room);
        }
      }
    }
  }
}

// A set of both caches together would lie partly in memory.
TEST(Sizes, AnInclusiveCacheHardlyLargerThanThePreviousOneHasNoWorkingSet) {
  Cluster cluster = cluster_of({"twins", 4, 1, {cache(1, 32 * KiB, 1, 4), cache(2, MiB, 1, 4)}});
  for (const std::uint64_t size : {MiB, MiB / 2 * 3, 2 * MiB, 4 * MiB}) {
    for (const std::optional<bool> inclusive : {std::optional(true), std::optional<bool>()}) {
      cluster.caches.resize(2);
      cluster.caches.push_back(cache(3, size, 1, 4));
      cluster.caches.back().inclusive = inclusive;
      const std::uint64_t bytes = cache_working_set(cluster, 2, 1, false);
      if (size == 4 * MiB) {
        EXPECT_EQ(bytes, 2 * MiB);
        continue;
      }
      EXPECT_EQ(bytes, 0u) << size;
      const std::string why = sentence(no_cache_working_set(cluster, 2, 1, false));
      EXPECT_NE(why.find(inclusive ? "holds too" : "not known"), why.npos) << why;
    }
  }
}

TEST(Sizes, MemoryIsEightTimesTheLastLevel) {
  for (const Processor& processor : processors()) {
    const Cluster cluster = cluster_of(processor);
    const Cache& last = cluster.caches.back();
    for (int threads = 1; threads <= processor.cores; ++threads) {
      const std::uint64_t bytes = memory_working_set(cluster, threads, 0);
      EXPECT_GE(bytes * static_cast<std::uint64_t>(threads),
                8 * last.bytes * static_cast<std::uint64_t>(last.count))
          << processor.name;
      EXPECT_EQ(bytes % (2 * MiB), 0u);
    }
  }
}

// A small memory set is divided over the threads; its sum is still twice the caches.
TEST(Sizes, AMemorySetIsDividedAndBeyondTheCaches) {
  for (const Processor& processor : processors()) {
    const Cluster cluster = cluster_of(processor);
    const Cache& last = cluster.caches.back();
    const std::uint64_t least = least_memory_set(cluster);
    EXPECT_EQ(least, 2 * last.bytes * static_cast<std::uint64_t>(last.count)) << processor.name;
    for (const std::uint64_t spec : {least, 3 * least}) {
      for (int threads = 1; threads <= processor.cores; ++threads) {
        const auto count = static_cast<std::uint64_t>(threads);
        const std::uint64_t bytes = memory_working_set(cluster, threads, spec);
        EXPECT_GE(bytes * count, spec) << processor.name;
        EXPECT_LT(bytes * count, spec + 2 * MiB * count) << processor.name;
      }
    }
  }
}

// Eight large cores with an L2 each, eight small ones with an L2 for four.
Cluster alder_lake() {
  Cluster cluster = cluster_of({"Alder Lake", 16, 1, {}});
  cluster.caches = {{.level = 1,
                     .bytes = 32 * KiB,
                     .largest_bytes = 48 * KiB,
                     .count = 16,
                     .pus_sharing = 2,
                     .cores_sharing = 1},
                    {.level = 2,
                     .bytes = 1280 * KiB,
                     .largest_bytes = 2 * MiB,
                     .count = 10,
                     .pus_sharing = 4,
                     .cores_sharing = 4},
                    {.level = 3,
                     .bytes = 30 * MiB,
                     .largest_bytes = 30 * MiB,
                     .count = 1,
                     .pus_sharing = 24,
                     .cores_sharing = 16,
                     .inclusive = false}};
  return cluster;
}

TEST(Sizes, CoresOfTwoKinds) {
  const Cluster cluster = alder_lake();
  for (int threads = 1; threads <= 16; ++threads) {
    EXPECT_LT(cache_working_set(cluster, 0, threads, false), 32 * KiB);
    EXPECT_GT(cache_working_set(cluster, 1, threads, false), 48 * KiB) << "would lie in a large core's L1";
    EXPECT_LT(cache_working_set(cluster, 1, 16, false), 512 * KiB) << "a small core has no more of its L2";
    EXPECT_GT(cache_working_set(cluster, 2, threads, false), 1280 * KiB) << "would lie in a large core's L2";
    EXPECT_LT(cache_working_set(cluster, 2, threads, false) * static_cast<std::uint64_t>(threads),
              (30 + 8 * 5 / 4 + 2 * 2) * MiB);
  }
}

// Two chiplets, one with a larger L3.
TEST(Sizes, MemoryIsBeyondTheLargestOfUnequalCaches) {
  Cluster cluster = cluster_of({"two chiplets", 16, 1, {}});
  cluster.caches = {cache(1, 32 * KiB, 1, 16), cache(2, MiB, 1, 16), cache(3, 32 * MiB, 8, 16)};
  cluster.caches.back().largest_bytes = 96 * MiB;
  EXPECT_GE(memory_working_set(cluster, 1, 0), 8 * (32 + 96) * MiB);
}

TEST(Sizes, ACacheOfUnknownSizeHasNoWorkingSet) {
  Cluster cluster = cluster_of({"guest", 2, 1, {cache(1, 0, 1, 2), cache(2, 0, 1, 2)}});
  EXPECT_EQ(cache_working_set(cluster, 0, 1, false), 0u);
  EXPECT_EQ(cache_working_set(cluster, 1, 1, false), 0u);
  EXPECT_EQ(no_cache_working_set(cluster, 1, 1, false), gable::model::NoteCode::unknown_size);
  EXPECT_GT(memory_working_set(cluster, 1, 0), 0u);
  cluster.caches.clear();
  EXPECT_GE(memory_working_set(cluster, 2, 0) * 2, 256 * MiB);
  EXPECT_EQ(least_memory_set(cluster), 256 * MiB) << "a small one might lie in caches that nobody knows";
}

TEST(Sizes, OneThreadPerCoreUnlessSmt) {
  const Cluster cluster = cluster_of({"smt", 4, 2, {}});
  EXPECT_EQ(pus_of(cluster, 0, false), (std::vector<unsigned>{0, 2, 4, 6}));
  EXPECT_EQ(pus_of(cluster, 0, true), (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(pus_of(cluster, 3, false), (std::vector<unsigned>{0, 2, 4}));
  EXPECT_EQ(pus_of(cluster, 99, false).size(), 4u);
}

}  // namespace
