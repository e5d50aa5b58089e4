#pragma once

// The description of the simulated machine: shape, latencies, bandwidths, energies.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/replay/machine/caches.hpp"
#include "machines/machine.hpp"
#include "model/domain/tier.hpp"

namespace gable::kmaf {

/// Load-to-use latencies in ns, bandwidths in GB/s (1e9 bytes/s).
struct Timing {
  double l1_ns = 0, l2_ns = 0;
  double l3_ns = 0;            ///< 0: there is no L3
  double local_ns = 0;         ///< memory of the same node
  double remote_ns = 0;        ///< memory or a cache of another node
  double link_gb_per_s = 0;    ///< each direction between each pair of nodes
  double memory_gb_per_s = 0;  ///< of each node
  /// With an L3: the time of a line that another core of the node owns; 0: that of the L3. Without an L3: the
  /// time of a line that another L2 of the node has, and of an answer of the directory without a line.
  double core_transfer_ns = 0;
  double node_transfer_ns = 0;     ///< a line that a core of another node has modified; 0: as remote memory
  double all_memory_gb_per_s = 0;  ///< of the memories of all nodes together; 0: their sum
};

/// The same figures for memory nodes without cores, of one tier.
struct MemoryFigures {
  double local_ns = 0;             ///< for the cores of the clusters that the memory is local to
  double remote_ns = 0;            ///< for all others
  double memory_gb_per_s = 0;      ///< of each memory node
  double all_memory_gb_per_s = 0;  ///< of all memory nodes of the tier together; 0: their sum
  std::uint64_t bytes = 0;  ///< of each memory node whose size the topology does not tell; 0: not known
};
using TierFigures = std::map<model::Tiers, MemoryFigures>;

/// A memory node that can be the home of pages.
struct Memory {
  unsigned node = 0;        ///< os index
  int link = 0;             ///< node of the hierarchy whose links lead to it
  std::vector<bool> local;  ///< by node of the hierarchy: it is local to the cores there
  MemoryFigures figures;
  std::size_t tier = 0;     ///< number of the group of memories that share `all_memory_gb_per_s`
  std::uint64_t bytes = 0;  ///< 0: not known
};

/// Energies in nJ for each access that reaches the level and for each byte on a link, and the constant power.
struct Energy {
  double l1_nj = 0, l2_nj = 0, l3_nj = 0, memory_nj = 0;
  double link_nj_per_byte = 0;
  double static_watts = 0;  ///< of the whole machine
};

inline constexpr int most_misses = 32;

/// How a core overlaps its misses. The defaults are of an out-of-order core such as Nehalem's (Intel 248966,
/// appendix B).
struct Pipeline {
  int misses =
      10;  ///< line fill buffers: misses of the L1 at a time, at most `most_misses`, shared by threads
  double window =
      128;  ///< reorder buffer: instructions begun after a miss before the thread waits for it; shared
  double smt = 1.25;       ///< instructions per time of several threads on a core, relative to one
  double instruction = 4;  ///< instructions in the time of an L1 hit, which takes four clocks
};

/// A private L1 for each core, an L2 for each core or for several, and an L3 for each node or none. SMT
/// threads share their core's caches.
struct SimulatedMachine {
  Hierarchy hierarchy;
  int cores = 0;
  int cores_of_l2 = 1;  ///< cores with consecutive numbers that share an L2
  bool has_l3 = true;
  CacheShape l1, l2;
  CacheShape l3;  ///< without an L3: the tags of all L2 of a node, and one for a line on its way
  Timing timing;
  /// The memories of the hierarchy's nodes, in their order, then the memory nodes without cores that have
  /// figures.
  std::vector<Memory> memories;
  std::vector<unsigned> unused;  ///< os indices of memory nodes without figures: no page lies there
  Energy energy;
  Pipeline pipeline;

  /// Whether the memory has a higher bandwidth than the memory of a node with cores.
  bool is_fast(const Memory& memory) const { return memory.figures.memory_gb_per_s > timing.memory_gb_per_s; }
};

/// Returns the OS indices of memory nodes without cores, by tier. The engine moves no pages to them.
std::map<model::Tiers, std::set<unsigned>> other_memories(const machines::Machine& machine);

/// Whether the simulated caches of this machine have an L3.
bool has_l3(const machines::Machine& machine);

/// Takes the shape from the topology. Several L3 of a node are merged. `tiers` has the figures of memory
/// nodes without cores. Throws Error::usage, which names what the topology lacks or what cannot be simulated.
SimulatedMachine simulated_machine(const machines::Machine& machine, const Timing& timing,
                                   const Energy& energy, const TierFigures& tiers = {});

}  // namespace gable::kmaf
