#pragma once

// The caches and memories of the simulated machine: private L1 and L2, an inclusive L3 per node with a
// directory of its cores, MESI between cores and between nodes. Every access returns its latency and adds its
// traffic.

#include <cstdint>
#include <string>
#include <vector>

#include "kmaf/replay/machine/caches.hpp"
#include "kmaf/replay/machine/calendar.hpp"
#include "kmaf/replay/machine/simulated_machine.hpp"

namespace gable::kmaf {

struct AccessCounts {
  std::uint64_t accesses = 0;
  std::uint64_t l1_hits = 0, l2_hits = 0, l3_hits = 0,
                l3_misses = 0;   ///< their sum is the number of accesses
  std::uint64_t from_cache = 0;  ///< L3 misses served by another node's cache
  std::uint64_t from_local = 0;  ///< L3 misses served by the node's own memory
  std::uint64_t from_remote =
      0;  ///< L3 misses served by another node's memory; the three add up to l3_misses
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
  /// `home[page]` is the node of a page's memory. The caller owns it and may change it.
  MemorySystem(const SimulatedMachine& machine, const std::vector<std::int16_t>& home);

  /// Performs an access of the core to a line (line_of) at `now`; returns how long it takes in ns: the
  /// latency, and waiting for memory or a link that is busy.
  double access(int core, std::uint64_t line, bool write, double now = 0);
  /// The clocks start again at 0: nothing is busy.
  void restart();

  const AccessCounts& counts() const { return counts_; }
  void count_l1_hits(std::uint64_t hits) {
    counts_.accesses += hits;
    counts_.l1_hits += hits;
  }
  /// Bytes so far from node i to node j at [i * nodes + j].
  const std::vector<double>& link_bytes() const { return link_bytes_; }
  /// Lines that node i's cores have read from, and written to, node j's memory so far, at [i * nodes + j].
  struct Lines {
    std::vector<double> read, written;
  };
  const Lines& memory_lines() const { return memory_lines_; }
  /// Moves `bytes` of a page from one node's memory to another's.
  void copy(int from, int to, double bytes, double now);

  /// Describes violations of coherence or inclusion; empty if there are none. For tests; slow.
  std::string conflict();

 private:
  struct Private {
    Cache l1, l2;
  };

  void add_traffic(int from, int to, double bytes);
  void add_memory(int node, double bytes);
  double private_hit(int core, std::uint64_t line, Cache::Entry* entry, bool write, double ns);
  double l3_hit(int core, Cache::Entry* entry, bool write);
  double l3_miss(int core, std::uint64_t line, bool write);
  double take_from_other_nodes(int node, std::uint64_t line, bool write, bool& shared);
  double read_memory(int node, std::uint64_t line);
  double invalidate_other_nodes(int node, std::uint64_t line);
  double own(int core, Cache::Entry* entry);
  void set_private(int core, std::uint64_t line, LineState state);
  void drop_private(int core, std::uint64_t line);
  void fill_private(int core, std::uint64_t line, LineState state);
  void drop_cores(int node, const Cache::Entry& entry, int except);
  void share_owner(int node, Cache::Entry* entry);
  void write_back(int node, std::uint64_t line);
  std::string conflict_of_cores();
  std::string conflict_of_nodes();
  std::size_t between(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(nodes_) + static_cast<std::size_t>(to);
  }
  int home_of(std::uint64_t line) const { return home_[line >> (6 + colour_bits)]; }

  const SimulatedMachine& machine_;
  const std::vector<std::int16_t>& home_;
  int nodes_;
  std::vector<int> node_of_core_, number_of_core_;  // number: in its node
  std::vector<Private> private_;
  std::vector<Cache> l3_;                // by node
  std::vector<std::vector<int>> cores_;  // of each node
  AccessCounts counts_;
  std::vector<double> link_bytes_;
  Lines memory_lines_;
  std::vector<Calendar> links_, memories_;
  double now_ = 0, waits_ = 0;  // of the present access: its time, and for how long it waits
};

}  // namespace gable::kmaf
