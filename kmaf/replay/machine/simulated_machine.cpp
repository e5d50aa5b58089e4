#include "kmaf/replay/machine/simulated_machine.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace gable::kmaf {

namespace {

constexpr std::size_t most_cores_a_node = 56;  // one bit each in the L3's directory, beside the owner

std::uint64_t cache_bytes(const machines::Cluster& cluster, int level) {
  for (const machines::Cache& cache : cluster.caches) {
    if (cache.level == level && cache.bytes > 0)
      return level == 3 ? cache.bytes * static_cast<std::uint64_t>(std::max(cache.count, 1)) : cache.bytes;
  }
  throw Error::usage("the topology has no L" + std::to_string(level) +
                     " cache; the simulated machine has L1, L2 and L3");
}

}  // namespace

SimulatedMachine simulated_machine(const machines::Machine& machine, const Timing& timing,
                                   const Energy& energy) {
  SimulatedMachine simulated;
  simulated.hierarchy = hierarchy_of(machine);
  const machines::Cluster& cluster = machine.clusters.front();
  simulated.l1 = CacheShape::of(cache_bytes(cluster, 1), 8);
  simulated.l2 = CacheShape::of(cache_bytes(cluster, 2), 8);
  simulated.l3 = CacheShape::of(cache_bytes(cluster, 3), 16);
  for (const machines::Cluster& each : machine.clusters) {
    if (each.cores.size() > most_cores_a_node) {
      throw Error::usage("a node has more than " + std::to_string(most_cores_a_node) +
                         " cores, more than the simulator supports");
    }
  }
  for (const Leaf& leaf : simulated.hierarchy.leaves)
    simulated.cores = std::max(simulated.cores, leaf.core + 1);
  for (const double value : {timing.l1_ns, timing.l2_ns, timing.l3_ns, timing.local_ns, timing.remote_ns,
                             timing.link_gb_per_s, timing.memory_gb_per_s}) {
    if (!(value > 0)) throw Error::usage("every latency and bandwidth must be above 0");
  }
  simulated.timing = timing;
  simulated.energy = energy;
  return simulated;
}

}  // namespace gable::kmaf
