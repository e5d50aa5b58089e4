#pragma once

// The description of the simulated machine: shape, latencies, bandwidths, energies.

#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/replay/machine/caches.hpp"
#include "machines/machine.hpp"

namespace gable::kmaf {

/// Load-to-use latencies in ns, bandwidths in GB/s (1e9 bytes/s).
struct Timing {
  double l1_ns = 0, l2_ns = 0, l3_ns = 0;
  double local_ns = 0;          ///< memory of the same node
  double remote_ns = 0;         ///< memory or a cache of another node
  double link_gb_per_s = 0;     ///< each direction between each pair of nodes
  double memory_gb_per_s = 0;   ///< of each node
  double core_transfer_ns = 0;  ///< a line that another core of the node owns; 0: as from the L3
  double node_transfer_ns = 0;  ///< a line that a core of another node has modified; 0: as remote memory
};

/// Energies in nJ for each access that reaches the level and for each byte on a link, and the constant power.
struct Energy {
  double l1_nj = 0, l2_nj = 0, l3_nj = 0, memory_nj = 0;
  double link_nj_per_byte = 0;
  double static_watts = 0;  ///< of the whole machine
};

/// How a core overlaps its misses. The defaults are of an out-of-order core such as Nehalem's (Intel 248966,
/// appendix B).
struct Pipeline {
  int misses = 10;  ///< line fill buffers: misses of the L1 at a time, shared by the core's threads
  double window =
      128;  ///< reorder buffer: instructions begun after a miss before the thread waits for it; shared
  double smt = 1.25;       ///< instructions per time of several threads on a core, relative to one
  double instruction = 4;  ///< instructions in the time of an L1 hit, which takes four clocks
};

/// Private L1 and L2 per core, one L3 per node. SMT threads share their core's caches.
struct SimulatedMachine {
  Hierarchy hierarchy;
  int cores = 0;
  CacheShape l1, l2, l3;
  Timing timing;
  Energy energy;
  Pipeline pipeline;
};

/// The shape from the topology. Several L3 of a node are merged. Throws Error::usage, which names
/// what the topology lacks or what cannot be simulated.
SimulatedMachine simulated_machine(const machines::Machine& machine, const Timing& timing,
                                   const Energy& energy);

}  // namespace gable::kmaf
