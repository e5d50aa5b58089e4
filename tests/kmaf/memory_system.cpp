// The simulated caches: LRU compared with lists, coherence with a record of the last writers, latencies and
// traffic with results by hand.

#include "kmaf/replay/machine/memory_system.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "machines.hpp"
#include "memory_system_check.hpp"
#include "random.hpp"

namespace gable::kmaf {
namespace {

TEST(CacheShape, OfSizes) {
  const auto shape = [](std::uint64_t bytes, std::uint64_t ways) {
    const CacheShape shape = CacheShape::of(bytes, ways);
    return std::pair(shape.sets, shape.ways);
  };
  EXPECT_EQ(shape(32 << 10, 8), std::pair(std::uint64_t{64}, std::uint64_t{8}));
  EXPECT_EQ(shape(256 << 10, 8), std::pair(std::uint64_t{512}, std::uint64_t{8}));
  EXPECT_EQ(shape(18 << 20, 16), std::pair(std::uint64_t{16384}, std::uint64_t{18}));
  EXPECT_EQ(shape(48 << 10, 8), std::pair(std::uint64_t{64}, std::uint64_t{12}));
  EXPECT_EQ(shape(128, 8), std::pair(std::uint64_t{1}, std::uint64_t{2}));
}

TEST(Cache, EqualsListsOnRandomLines) {
  test::Random random(21);
  for (const CacheShape shape : {CacheShape{1, 1}, {4, 2}, {8, 5}, {16, 18}}) {
    Cache cache(shape);
    std::map<std::uint64_t, std::list<std::uint64_t>> sets;  // most recent first
    const std::uint64_t lines = 3 * shape.sets * shape.ways;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t line = random.below(lines);
      auto& set = sets[line % shape.sets];
      const bool expected = std::find(set.begin(), set.end(), line) != set.end();
      ASSERT_EQ(cache.use(line) != nullptr, expected);
      if (expected) {
        set.remove(line);
        set.push_front(line);
        continue;
      }
      Cache::Entry evicted;
      cache.insert(line, LineState::shared, evicted);
      ASSERT_EQ(evicted.empty(), set.size() < shape.ways);
      if (!evicted.empty()) {
        ASSERT_EQ(evicted.line(), set.back());
        set.pop_back();
      }
      set.push_front(line);
    }
  }
}

// Two nodes of two cores (0 1 | 2 3), small caches; pages 0 to 63 with their homes.
class MemoryTest : public testing::Test {
 protected:
  MemoryTest()
      : machine(simulated_machine(test::small(), test::timing, {})), home(64, 0), memory(machine, home) {}

  static std::uint64_t line(std::uint64_t page, std::uint64_t number = 0) {
    return line_of(page, page, number * 64);
  }
  // The bytes of a link since the last clear_traffic().
  double link(int from, int to) {
    const auto at = static_cast<std::size_t>(from) * 2 + static_cast<std::size_t>(to);
    return memory.link_bytes()[at] - cleared[at];
  }
  void clear_traffic() { cleared = memory.link_bytes(); }

  std::vector<double> cleared = {0, 0, 0, 0};
  SimulatedMachine machine;
  std::vector<std::int16_t> home;
  MemorySystem memory;
};

TEST_F(MemoryTest, LatenciesByHand) {
  EXPECT_EQ(memory.access(0, line(0), false), 100) << "memory of the own node";
  EXPECT_EQ(memory.access(0, line(0), false), 1);
  EXPECT_EQ(memory.access(0, line(0), true), 1) << "nobody else has it";
  EXPECT_EQ(memory.access(1, line(0), false), 20) << "from the neighbour through the L3";
  EXPECT_EQ(memory.access(1, line(0), true), 20) << "the neighbour has to give it up";
  EXPECT_EQ(memory.access(0, line(0), false), 20);
  EXPECT_EQ(memory.access(2, line(0), false), 170) << "modified in the other node";
  EXPECT_EQ(memory.access(2, line(0), true), 170) << "the other node has to give it up";
  EXPECT_EQ(memory.access(2, line(0), true), 1);
  EXPECT_EQ(memory.access(0, line(0), true), 170);
  home[1] = 1;
  EXPECT_EQ(memory.access(0, line(1), false), 170) << "memory of the other node";
  EXPECT_EQ(memory.access(2, line(1), false), 100) << "clean: from memory, which is its own";
  EXPECT_EQ(memory.access(2, line(1), true), 170) << "shared with the other node";
}

// Figures between cores, where a folder has them: lines that another core owns take their time.
TEST_F(MemoryTest, MeasuredTransfersByHand) {
  machine.timing.core_transfer_ns = 30;
  machine.timing.node_transfer_ns = 250;
  EXPECT_EQ(memory.access(0, line(0), true), 100);
  EXPECT_EQ(memory.access(1, line(0), false), 30) << "the neighbour owns it";
  EXPECT_EQ(memory.access(1, line(0), true), 20) << "both have it: only the L3 is asked";
  EXPECT_EQ(memory.access(0, line(0), true), 30);
  EXPECT_EQ(memory.access(2, line(0), false), 250) << "modified in the other node";
  EXPECT_EQ(memory.access(3, line(0), false), 20) << "shared, from the L3";
  home[1] = 1;
  EXPECT_EQ(memory.access(0, line(1), false), 170) << "memory of the other node";
}

TEST_F(MemoryTest, FromTheL2) {
  // 2 KiB L1: 4 sets of 8 ways; the 8 KiB L2 holds the 9 lines of one L1 set.
  for (std::uint64_t i = 0; i < 9; ++i) memory.access(0, line(0, 4 * i), false);
  EXPECT_EQ(memory.access(0, line(0), false), 4);
  EXPECT_EQ(memory.counts().l2_hits, 1u);
}

TEST_F(MemoryTest, TrafficByHand) {
  home[1] = 1;
  memory.access(0, line(1), false);
  EXPECT_EQ(link(0, 1), 8) << "a request";
  EXPECT_EQ(link(1, 0), 72) << "a line with its header";
  clear_traffic();
  memory.access(0, line(1), true);
  EXPECT_EQ(link(0, 1) + link(1, 0), 0) << "its own: silently";
  memory.access(2, line(1), false);
  EXPECT_EQ(link(1, 0), 8);
  EXPECT_EQ(link(0, 1), 72 + 72) << "to the reader, and back to its memory";
  clear_traffic();
  memory.access(0, line(1), true);
  EXPECT_EQ(link(0, 1), 8) << "invalidate";
  EXPECT_EQ(link(1, 0), 8) << "done";
  EXPECT_EQ(memory.counts().invalidations, 1u);
}

TEST_F(MemoryTest, ModifiedLinesAreWrittenBackWhenTheyGo) {
  home.assign(64, 1);
  for (std::uint64_t page = 0; page < 64; ++page) {
    for (std::uint64_t i = 0; i < 64; ++i) memory.access(0, line(page, i), true);
  }
  const std::uint64_t capacity = 65536 / 64;
  EXPECT_EQ(memory.counts().write_backs, 64 * 64 - capacity);
  EXPECT_EQ(link(0, 1), static_cast<double>(64 * 64 * 8 + (64 * 64 - capacity) * 72));
  EXPECT_EQ(conflict_in(memory), "");
}

// Every access counts once, caches stay coherent and inclusive, and no core reads stale data from its own
// caches.
TEST_F(MemoryTest, InvariantsOnRandomTraces) {
  test::Random random(22);
  for (std::size_t page = 0; page < home.size(); ++page) home[page] = static_cast<std::int16_t>(page % 2);
  std::map<std::uint64_t, std::set<int>> fresh_cores,
      fresh_nodes;  // nodes that have had the line since its last write
  for (int i = 0; i < 200000; ++i) {
    const int core = static_cast<int>(random.below(4));
    const std::uint64_t at =
        line(random.below(24), random.below(100) < 50 ? random.below(64) : random.below(4));
    const bool write = random.chance(30);
    const AccessCounts before = memory.counts();
    const double ns = memory.access(core, at, write, 1000.0 * i);
    const AccessCounts& after = memory.counts();
    if (after.l1_hits + after.l2_hits > before.l1_hits + before.l2_hits) {
      ASSERT_TRUE(fresh_cores[at].contains(core)) << "a stale line in a core's cache";
    } else if (after.l3_hits > before.l3_hits) {
      ASSERT_TRUE(fresh_nodes[at].contains(core / 2)) << "a stale line in a node's cache";
    }
    if (write) {
      fresh_cores[at].clear();
      fresh_nodes[at].clear();
    }
    fresh_cores[at].insert(core);
    fresh_nodes[at].insert(core / 2);
    const std::set<double> possible = {1, 4, 20, 100, 170};
    ASSERT_TRUE(possible.contains(ns));
    if (i % 1000 == 0) {
      ASSERT_EQ(conflict_in(memory), "") << i;
    }
  }
  const AccessCounts& counts = memory.counts();
  EXPECT_EQ(counts.accesses, 200000u);
  EXPECT_EQ(counts.l1_hits + counts.l2_hits + counts.l3_hits + counts.misses, counts.accesses);
  EXPECT_EQ(counts.from_cache + counts.from_local + counts.from_remote, counts.misses);
  for (const std::uint64_t count : {counts.l1_hits, counts.l2_hits, counts.l3_hits, counts.from_cache,
                                    counts.from_local, counts.from_remote, counts.invalidations}) {
    EXPECT_GT(count, 100u) << "the trace does not try everything";
  }
}

TEST(SimulatedMachine, NamesWhatTheTopologyLacks) {
  const auto refuse = [](const std::string& synthetic) {
    try {
      simulated_machine(machines::from_synthetic(synthetic), test::timing, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refuse("node:2 core:2 pu:1").find("no L1"), std::string::npos);
  EXPECT_NE(refuse("node:2 l3:1 core:2 l1d:1 pu:1").find("no L2"), std::string::npos);
  Timing zero = test::timing;
  zero.remote_ns = 0;
  EXPECT_THROW(simulated_machine(test::small(), zero, {}), Error);
}

}  // namespace
}  // namespace gable::kmaf
