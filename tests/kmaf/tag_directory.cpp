// A machine without an L3: the directory of a node's L2 caches, which several cores share, compared with a
// search through lists of lines.

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/error.hpp"
#include "kmaf/replay/machine/memory_system.hpp"
#include "machines.hpp"
#include "memory_system_check.hpp"
#include "random.hpp"

namespace gable::kmaf {

// Breaks a rule of the directory.
struct SabotagedMemory {
  static Cache::Entry* entry(MemorySystem& memory, int node, std::uint64_t line) {
    return memory.directory(node).peek(line);
  }
  static void forget(MemorySystem& memory, int node, std::uint64_t line) {
    memory.directory(node).erase(entry(memory, node, line));
  }
  static void drop_silently(MemorySystem& memory, int l2, std::uint64_t line) { memory.drop_l2(l2, line); }
};

namespace {

constexpr double core_transfer = 40, node_transfer = 60;

Timing without_l3() {
  Timing timing = test::timing;
  timing.l3_ns = 0;
  timing.core_transfer_ns = core_transfer;
  timing.node_transfer_ns = node_transfer;
  return timing;
}

// Two nodes of two L2 (2 KiB: 4 sets of 8 ways) of two cores (L1: 512 bytes, one set of 8 ways).
constexpr int cores_of_l2 = 2, l2_of_node = 2;
machines::Machine tiles() {
  return machines::from_synthetic(
      "package:2 [numa(memory=1073741824)] l2:2(size=2048) core:2 l1d:1(size=512) pu:1");
}

// The same machine without a directory: whoever wants to know who has a line searches all caches.
class Searched {
 public:
  Searched(const Timing& timing, const std::vector<std::int16_t>& home) : timing_(timing), home_(home) {}

  double access(int core, std::uint64_t line, bool write) {
    ++counts.accesses;
    const int tile = core / cores_of_l2;
    const bool in_l1 = touch(l1_[core][0], line), in_l2 = in_l1 || touch(l2_[tile][line % 4], line);
    ++(in_l1 ? counts.l1_hits : in_l2 ? counts.l2_hits : counts.misses);
    double ns = in_l1 ? timing_.l1_ns : in_l2 ? timing_.l2_ns : fetched(tile, line, write);
    if (!in_l1 && in_l2) {
      only_core_[tile].erase(line);
      if (!others_in_l1(core, line) && owner_of(line) == tile) only_core_[tile][line] = core;
      put(l1_[core][0], line);
    }
    if (in_l2 && write) ns = std::max(ns, owned(core, line));
    if (!in_l2) fill(core, line, write);
    if (write) {
      for (const int other : cores_of(tile)) {
        if (other != core) l1_[other][0].remove(line);
      }
      owner_[line] = tile;
      dirty_.insert(line);
      only_core_[tile][line] = core;
    }
    return ns;
  }

  AccessCounts counts;

 private:
  using Lines = std::list<std::uint64_t>;  // most recent first

  static bool has(const Lines& lines, std::uint64_t line) {
    return std::ranges::find(lines, line) != lines.end();
  }
  static bool touch(Lines& lines, std::uint64_t line) {
    if (!has(lines, line)) return false;
    lines.remove(line);
    lines.push_front(line);
    return true;
  }
  static std::optional<std::uint64_t> put(Lines& lines, std::uint64_t line) {
    lines.push_front(line);
    if (lines.size() <= 8) return {};
    const std::uint64_t last = lines.back();
    lines.pop_back();
    return last;
  }
  static std::vector<int> cores_of(int tile) { return {2 * tile, 2 * tile + 1}; }
  static int node_of(int tile) { return tile / l2_of_node; }
  bool has_line(int tile, std::uint64_t line) { return has(l2_[tile][line % 4], line); }
  bool others_in_l1(int core, std::uint64_t line) { return has(l1_[core ^ 1][0], line); }
  int owner_of(std::uint64_t line) const {
    const auto found = owner_.find(line);
    return found == owner_.end() ? -1 : found->second;
  }
  // Whether an L2 of this node, or of the other, has the line; not counting `tile`.
  bool elsewhere(int tile, std::uint64_t line, bool own_node) {
    for (int other = 0; other < 4; ++other) {
      if (other != tile && (node_of(other) == node_of(tile)) == own_node && has_line(other, line))
        return true;
    }
    return false;
  }
  void write_back(std::uint64_t line) { counts.write_backs += dirty_.erase(line); }
  void drop_others(int tile, std::uint64_t line) {
    for (int other = 0; other < 4; ++other) {
      if (other == tile) continue;
      l2_[other][line % 4].remove(line);
      for (const int core : cores_of(other)) l1_[core][0].remove(line);
    }
  }

  // The core may write a line that its L2 has; returns the time of the answer.
  double owned(int core, std::uint64_t line) {
    const int tile = core / cores_of_l2;
    if (owner_of(line) == tile) {
      const auto only = only_core_[tile].find(line);
      return only != only_core_[tile].end() && only->second == core ? 0 : timing_.l2_ns;
    }
    return asked(tile, line);
  }
  double asked(int tile, std::uint64_t line) {
    const bool invalidates = elsewhere(tile, line, false);
    counts.invalidations += invalidates;
    drop_others(tile, line);
    return invalidates ? std::max(core_transfer, timing_.remote_ns) : core_transfer;
  }

  // The line comes from another L2 or from memory.
  double fetched(int tile, std::uint64_t line, bool write) {
    if (elsewhere(tile, line, true)) {
      ++counts.from_cache;
      if (write) return asked(tile, line);
      write_back(line);
      owner_.erase(line);
      return core_transfer;
    }
    const bool others = elsewhere(tile, line, false);
    double ns = 0;
    if (dirty_.contains(line)) {
      ++counts.from_cache;
      ns = node_transfer;
      if (!write) write_back(line);
    } else {
      const bool local = home_[line >> (6 + colour_bits)] == node_of(tile);
      ++(local ? counts.from_local : counts.from_remote);
      ns = local ? timing_.local_ns : timing_.remote_ns;
      if (write && others) ns = std::max(ns, timing_.remote_ns);
    }
    counts.invalidations += write && others;
    owner_.erase(line);
    if (write) drop_others(tile, line);
    if (!others) owner_[line] = tile;
    return ns;
  }

  void fill(int core, std::uint64_t line, bool write) {
    const int tile = core / cores_of_l2;
    if (const auto evicted = put(l2_[tile][line % 4], line)) {
      for (const int each : cores_of(tile)) l1_[each][0].remove(*evicted);
      if (owner_of(*evicted) == tile) {
        write_back(*evicted);
        owner_.erase(*evicted);
      }
    }
    put(l1_[core][0], line);
    only_core_[tile].erase(line);
    if (write || owner_of(line) == tile) only_core_[tile][line] = core;
  }

  const Timing& timing_;
  const std::vector<std::int16_t>& home_;
  std::map<int, std::map<std::uint64_t, Lines>> l1_, l2_;  // by core or L2, and set
  std::map<std::uint64_t, int> owner_;                     // the L2 that may write the line without asking
  std::map<int, std::map<std::uint64_t, int>> only_core_;  // of an L2: the core that may
  std::set<std::uint64_t> dirty_;
};

class TagDirectory : public testing::Test {
 protected:
  TagDirectory()
      : timing(without_l3()),
        machine(simulated_machine(tiles(), timing, {})),
        home(16),
        memory(machine, home) {
    for (std::size_t page = 0; page < home.size(); ++page) home[page] = static_cast<std::int16_t>(page % 2);
  }
  static std::uint64_t line(std::uint64_t page, std::uint64_t number = 0) {
    return line_of(page, page, number * 64);
  }

  Timing timing;
  SimulatedMachine machine;
  std::vector<std::int16_t> home;
  MemorySystem memory;
};

TEST_F(TagDirectory, LatenciesByHand) {
  EXPECT_EQ(memory.access(0, line(0), false), 100) << "memory of the own node";
  EXPECT_EQ(memory.access(1, line(0), false), 4) << "from the L2 that both cores share";
  EXPECT_EQ(memory.access(1, line(0), true), 4) << "the other core of the L2 has to give it up";
  EXPECT_EQ(memory.access(1, line(0), true), 1);
  EXPECT_EQ(memory.access(0, line(0), false), 4);
  EXPECT_EQ(memory.access(2, line(0), false), core_transfer) << "from another L2 of the node";
  EXPECT_EQ(memory.counts().write_backs, 1u) << "without an L3, memory gets what was written";
  EXPECT_EQ(memory.access(2, line(0), true), core_transfer) << "the other L2 has to give it up";
  EXPECT_EQ(memory.access(4, line(0), false), node_transfer) << "modified in the other node";
  EXPECT_EQ(memory.access(0, line(1), false), 170) << "memory of the other node";
  EXPECT_EQ(memory.access(4, line(0), true), 170) << "the other node has to give it up";
  EXPECT_EQ(memory.counts().l3_hits, 0u);
  EXPECT_EQ(conflict_in(memory), "");
}

TEST_F(TagDirectory, EqualsASearchThroughAllCaches) {
  Searched searched(timing, home);
  test::Random random(31);
  constexpr int accesses = 200000;
  for (int i = 0; i < accesses; ++i) {
    const int core = static_cast<int>(random.below(8));
    // Half of the accesses go to few lines, which move from cache to cache.
    const std::uint64_t at =
        random.chance(50) ? line(random.below(2), random.below(8)) : line(random.below(16), random.below(4));
    const bool write = random.chance(30);
    ASSERT_EQ(memory.access(core, at, write, 1000.0 * i), searched.access(core, at, write)) << i;
    const AccessCounts &one = memory.counts(), &other = searched.counts;
    ASSERT_EQ(one.l1_hits, other.l1_hits) << i;
    ASSERT_EQ(one.l2_hits, other.l2_hits) << i;
    ASSERT_EQ(one.misses, other.misses) << i;
    ASSERT_EQ(one.from_cache, other.from_cache) << i;
    ASSERT_EQ(one.from_local, other.from_local) << i;
    ASSERT_EQ(one.invalidations, other.invalidations) << i;
    ASSERT_EQ(one.write_backs, other.write_backs) << i;
    if (i % 100 == 0) {
      ASSERT_EQ(conflict_in(memory), "") << i;
    }
  }
  const AccessCounts& counts = memory.counts();
  EXPECT_EQ(counts.l1_hits + counts.l2_hits + counts.misses, counts.accesses);
  EXPECT_EQ(counts.from_cache + counts.from_local + counts.from_remote, counts.misses);
  for (const std::uint64_t count : {counts.l1_hits, counts.l2_hits, counts.from_cache, counts.from_local,
                                    counts.from_remote, counts.invalidations, counts.write_backs})
    EXPECT_GT(count, 1000u) << "the trace does not try everything";
}

TEST_F(TagDirectory, BrokenRulesAreNoticed) {
  memory.access(0, line(0), true);
  memory.access(2, line(2), false);
  memory.access(0, line(2), false);
  ASSERT_EQ(conflict_in(memory), "");
  const auto broken = [&](const auto& sabotage) {
    MemorySystem copy = memory;
    sabotage(copy);
    return conflict_in(copy);
  };
  EXPECT_EQ(broken([](MemorySystem& m) { SabotagedMemory::forget(m, 0, line(0)); }),
            "a line is in L2 and not in the directory");
  EXPECT_EQ(broken([](MemorySystem& m) { SabotagedMemory::drop_silently(m, 0, line(0)); }),
            "a line is in the directory and in no L2");
  EXPECT_EQ(broken([](MemorySystem& m) { SabotagedMemory::drop_silently(m, 1, line(2)); }),
            "the directory records an L2 that does not have a line");
  EXPECT_EQ(broken([](MemorySystem& m) { SabotagedMemory::entry(m, 0, line(2))->word &= ~bit_of(0); }),
            "the directory does not record that an L2 has a line");
  EXPECT_EQ(broken([](MemorySystem& m) { SabotagedMemory::entry(m, 0, line(0))->word &= l2_mask; }),
            "a core may write a line that its L2 does not own");
}

TEST(TagDirectoryMachine, NeedsTheTimeBetweenCores) {
  try {
    simulated_machine(tiles(), test::timing, {});
    FAIL() << "without core_transfer_ns";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has no L3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gable::kmaf
