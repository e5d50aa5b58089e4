#pragma once

// This file simulates the caches and memories of a machine. Each core has an L1, and one core or several have
// an L2. Each node has a directory of its L2 caches, which an inclusive L3 holds if the machine has one. MESI
// keeps the cores of an L2, the L2 caches of a node and the nodes coherent. Every access returns its latency
// and adds its traffic.

#include <cstdint>
#include <vector>

#include "base/numbers.hpp"
#include "kmaf/replay/machine/caches.hpp"
#include "kmaf/replay/machine/simulated_machine.hpp"

namespace gable::kmaf {

// The directory of a node's L2 caches is a word that the simulated L3 stores with each line. A machine
// without an L3 has a separate directory, like the tag directory of Knights Landing. It contains the lines
// that at least one L2 of the node holds.

// The word of a line has a bit for each L2 of the node that may hold the line. Above these bits it has the
// number + 1 of the L2 whose cores may write the line without a request, or 0 if there is none. With an L3,
// an L2 that dropped the line keeps its bit; without an L3, the bits are exact.
inline constexpr int owner_shift = 56;
inline constexpr std::uint64_t l2_mask = (std::uint64_t{1} << owner_shift) - 1;

inline int owner_of(const Cache::Entry& entry) {
  return static_cast<int>(entry.word >> owner_shift) - 1;
}
inline std::uint64_t bit_of(int number) {
  return std::uint64_t{1} << number;
}
inline std::uint64_t owned_by(int number) {
  return static_cast<std::uint64_t>(number + 1) << owner_shift | bit_of(number);
}

// The bandwidth of a memory or link: how much of it is used at each time. Threads may request it in any order
// of time, because each has its own clock.

class Calendar {
 public:
  /// `rate` in bytes/ns.
  explicit Calendar(double rate) : room_(slot_ns * rate), used_(slots) {}

  /// Forgets everything: the clocks start again at 0.
  void restart() { first_ = 0, used_.assign(slots, 0.0); }

  /// Takes room for `bytes` at the first moment from `ns` on that has some. Returns how long that is after
  /// `ns`.
  double take(double ns, double bytes) {
    auto slot = static_cast<std::uint64_t>(ns / slot_ns);
    if (slot < first_) return 0;  // long past
    const std::uint64_t wanted = slot;
    for (;; ++slot) {
      while (slot + 1 >= first_ + slots) used_[first_++ % slots] = 0;
      if (used_[slot % slots] < room_) break;
    }
    double& used = used_[slot % slots];
    used += bytes;
    if (used > room_) {  // the rest is the next slot's
      used_[(slot + 1) % slots] += used - room_;
      used = room_;
    }
    return slot == wanted ? 0 : static_cast<double>(slot) * slot_ns - ns;
  }

 private:
  static constexpr double slot_ns = 500;
  static constexpr std::uint64_t slots = 4096;
  double room_;              // bytes a slot
  std::uint64_t first_ = 0;  // the earliest slot that is known
  std::vector<double> used_;
};

struct AccessCounts {
  std::uint64_t accesses = 0;
  std::uint64_t l1_hits = 0, l2_hits = 0;
  std::uint64_t l3_hits = 0;      ///< 0 without an L3
  std::uint64_t misses = 0;       ///< of the last cache: L3, or L2 without an L3; the four add up to accesses
  std::uint64_t from_cache = 0;   ///< misses served by another node's cache; without an L3 by another L2
  std::uint64_t from_local = 0;   ///< misses served by memory that is local to the core
  std::uint64_t from_remote = 0;  ///< misses served by other memory; the three add up to the misses
  std::uint64_t invalidations = 0;  ///< writes for which other nodes had to drop a line
  std::uint64_t write_backs = 0;    ///< modified lines written to memory
};

/// The line of byte `offset` of page `page`, whose number in the address space is `page_number`. Frames have
/// the colour of their page: the page's address determines its cache sets.
inline constexpr int colour_bits = 16;
inline std::uint64_t line_of(std::uint64_t page, std::uint64_t page_number, std::uint64_t offset) {
  constexpr std::uint64_t colours = (std::uint64_t{1} << colour_bits) - 1;
  return (page << colour_bits | (page_number & colours)) << 6 | offset >> 6;
}

class MemorySystem {
 public:
  /// `home[page]` is the number of a page's memory in machine.memories. The caller owns it and may change it.
  MemorySystem(const SimulatedMachine& machine, const std::vector<std::int16_t>& home);

  /// Performs an access of the core to a line (line_of) at `now`; returns how long it takes in ns: the
  /// latency, and waiting for memory or a link that is busy.
  double access(int core, std::uint64_t line, bool write, double now = 0);
  /// Performs the access if the core's L1 completes it alone, in `l1_ns`. Returns false otherwise: access()
  /// must follow, from the time when the core has a buffer for a miss.
  bool access_l1(int core, std::uint64_t line, bool write);
  /// The clocks start again at 0: nothing is busy.
  void restart();

  const AccessCounts& counts() const { return counts_; }
  void count_l1_hits(std::uint64_t hits) {
    counts_.accesses += hits;
    counts_.l1_hits += hits;
  }
  /// Bytes so far from node i to node j at [i * nodes + j].
  const std::vector<double>& link_bytes() const { return link_bytes_; }
  /// Element [i * memories + j] has the lines that node i's cores have read from, and written to, memory j so
  /// far.
  struct Lines {
    std::vector<double> read, written;
  };
  const Lines& memory_lines() const { return memory_lines_; }
  /// Moves `bytes` of a page from one memory to another.
  void copy(int from, int to, double bytes, double now);

 private:
  friend class MemorySystemCheck;  // of the tests, for the rules of coherence and inclusion
  friend struct SabotagedMemory;   // of the tests, which violates such a rule

  void add_traffic(int from, int to, double bytes);
  void add_memory(int memory, double bytes);
  double private_hit(int core, Cache::Entry* entry, bool write, double ns);
  double l2_hit(int core, Cache::Entry* entry, bool write);
  double node_hit(int core, Cache::Entry* entry, bool write);
  double node_miss(int core, std::uint64_t line, bool write);
  double take_from_other_nodes(int node, std::uint64_t line, bool write, bool& shared);
  double read_memory(int node, std::uint64_t line);
  double invalidate_other_nodes(int node, std::uint64_t line);
  double own(int core, Cache::Entry* entry);
  bool share_in_l2(int core, std::uint64_t line);
  void drop_in_l2(int core, std::uint64_t line);
  void share_l2(int l2, std::uint64_t line);
  void drop_l2(int l2, std::uint64_t line);
  void fill(int core, std::uint64_t line, LineState state);
  void leave_directory(int l2, const Cache::Entry& evicted);
  void drop_node(int node, const Cache::Entry& entry, int except);
  void share_owner(int node, Cache::Entry* entry);
  void write_back(int node, std::uint64_t line);

  Cache& l2_of(int core) { return l2_[index(l2_of_core_[index(core)])]; }
  Cache& directory(int node) { return directories_[index(node)]; }
  int node_of(int core) const { return node_of_l2_[index(l2_of_core_[index(core)])]; }
  int number_of(int core) const { return number_of_l2_[index(l2_of_core_[index(core)])]; }
  std::size_t link(int from, int to) const { return index(from) * index(nodes_) + index(to); }
  std::size_t lines_between(int node, int memory) const {
    return index(node) * machine_.memories.size() + index(memory);
  }
  int home_of(std::uint64_t line) const { return home_[line >> (6 + colour_bits)]; }

  const SimulatedMachine& machine_;
  const std::vector<std::int16_t>& home_;
  int nodes_;
  std::vector<int> l2_of_core_, node_of_l2_, number_of_l2_;  // number: in its node
  std::vector<std::vector<int>> l2_of_node_, cores_of_l2_;
  std::vector<Cache> l1_, l2_, directories_;  // by core, by number of the L2, by node
  AccessCounts counts_;
  std::vector<double> link_bytes_;
  Lines memory_lines_;
  std::vector<Calendar> links_, memories_, tiers_;  // tiers: of all memories of a tier together
  double now_ = 0, waits_ = 0;  // of the present access: its time, and for how long it waits
};

}  // namespace gable::kmaf
