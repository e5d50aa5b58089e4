#include "kmaf/replay/machine/simulated_machine.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/lists.hpp"

namespace gable::kmaf {

namespace {

constexpr std::size_t most_l2_of_a_node = 56;  // one bit each in the directory, beside the owner

const machines::Cache* cache_of(const machines::Cluster& cluster, int level) {
  const auto found = std::ranges::find(cluster.caches, level, &machines::Cache::level);
  return found == cluster.caches.end() ? nullptr : &*found;
}

std::uint64_t cache_bytes(const machines::Cluster& cluster, int level) {
  const machines::Cache* const cache = cache_of(cluster, level);
  if (cache != nullptr && cache->bytes > 0)
    return level == 3 ? cache->bytes * static_cast<std::uint64_t>(std::max(cache->count, 1)) : cache->bytes;
  throw Error::usage("the topology has no L" + std::to_string(level) + " cache" +
                     (cache == nullptr ? "" : " of known size") +
                     "; the simulated machine has L1 and L2, and an L3 where the topology has one");
}

std::size_t l2_of_a_node(const machines::Machine& machine, int cores_of_l2) {
  std::size_t most = 0;
  for (const machines::Cluster& each : machine.clusters) most = std::max(most, each.cores.size());
  const auto sharing = static_cast<std::size_t>(cores_of_l2);
  return (most + sharing - 1) / sharing;
}

void set_caches(SimulatedMachine& simulated, const machines::Machine& machine) {
  const machines::Cluster& cluster = machine.clusters.front();
  simulated.has_l3 = has_l3(machine);
  simulated.l1 = CacheShape::of(cache_bytes(cluster, 1), 8);
  simulated.l2 = CacheShape::of(cache_bytes(cluster, 2), 8);
  simulated.cores_of_l2 = std::max(1, cache_of(cluster, 2)->cores_sharing);
  const std::size_t l2 = l2_of_a_node(machine, simulated.cores_of_l2);
  if (l2 > most_l2_of_a_node) {
    throw Error::usage("a node has more than " + std::to_string(most_l2_of_a_node) +
                       " L2 caches, more than the simulator supports");
  }
  // All lines of a set of an L2 are in the same set of the directory, so the directory always has room.
  simulated.l3 = simulated.has_l3 ? CacheShape::of(cache_bytes(cluster, 3), 16)
                                  : CacheShape{simulated.l2.sets, simulated.l2.ways * l2 + 1};
}

void check_timing(const Timing& timing, bool has_l3) {
  for (const double value : {timing.l1_ns, timing.l2_ns, timing.local_ns, timing.remote_ns,
                             timing.link_gb_per_s, timing.memory_gb_per_s}) {
    if (!(value > 0)) throw Error::usage("every latency and bandwidth must be above 0");
  }
  if (has_l3 && !(timing.l3_ns > 0)) throw Error::usage("the latency of the L3 must be above 0");
  if (!has_l3 && !(timing.core_transfer_ns > 0)) {
    throw Error::usage(
        "the topology has no L3, so a core gets a line from the L2 of another core, and the time of that is "
        "not known: measure it with `gable measure --only c2c`, or write core_transfer_ns into replay.json");
  }
}

std::vector<Memory> own_memories(const machines::Machine& machine, const Hierarchy& hierarchy,
                                 const Timing& timing) {
  std::vector<Memory> memories;
  for (std::size_t node = 0; node < hierarchy.nodes.size(); ++node) {
    std::vector<bool> local(hierarchy.nodes.size());
    local[node] = true;
    const auto its = std::ranges::find(machine.nodes, hierarchy.nodes[node], &machines::Node::os_index);
    memories.push_back(
        {hierarchy.nodes[node],
         static_cast<int>(node),
         local,
         {timing.local_ns, timing.remote_ns, timing.memory_gb_per_s, timing.all_memory_gb_per_s, 0},
         0,
         its == machine.nodes.end() ? 0 : its->bytes});
  }
  return memories;
}

bool is_own(const Hierarchy& hierarchy, const machines::Node& node) {
  return is_among(hierarchy.nodes, node.os_index);
}

void add_other_memories(SimulatedMachine& simulated, const machines::Machine& machine,
                        const TierFigures& tiers) {
  const Hierarchy& hierarchy = simulated.hierarchy;
  for (const machines::Node& node : machine.nodes) {
    if (is_own(hierarchy, node)) continue;
    const auto figures = tiers.find(node.tier);
    if (figures == tiers.end()) {
      simulated.unused.push_back(node.os_index);
      continue;
    }
    Memory memory{node.os_index,
                  -1,
                  std::vector<bool>(hierarchy.nodes.size()),
                  figures->second,
                  1 + static_cast<std::size_t>(std::distance(tiers.begin(), figures)),
                  node.bytes > 0 ? node.bytes : figures->second.bytes};
    for (std::size_t i = 0; i < hierarchy.nodes.size(); ++i) {
      if (std::ranges::find(node.local_to, hierarchy.clusters[i]) == node.local_to.end()) continue;
      memory.local[i] = true;
      if (memory.link < 0) memory.link = static_cast<int>(i);
    }
    memory.link = std::max(memory.link, 0);
    simulated.memories.push_back(std::move(memory));
  }
}

}  // namespace

std::map<model::Tiers, std::set<unsigned>> other_memories(const machines::Machine& machine) {
  const Hierarchy hierarchy = hierarchy_of(machine);
  std::map<model::Tiers, std::set<unsigned>> others;
  for (const machines::Node& node : machine.nodes) {
    if (!is_own(hierarchy, node)) others[node.tier].insert(node.os_index);
  }
  return others;
}

bool has_l3(const machines::Machine& machine) {
  return !machine.clusters.empty() && cache_of(machine.clusters.front(), 3) != nullptr;
}

SimulatedMachine simulated_machine(const machines::Machine& machine, const Timing& timing,
                                   const Energy& energy, const TierFigures& tiers) {
  SimulatedMachine simulated;
  simulated.hierarchy = hierarchy_of(machine);
  set_caches(simulated, machine);
  for (const Leaf& leaf : simulated.hierarchy.leaves)
    simulated.cores = std::max(simulated.cores, leaf.core + 1);
  check_timing(timing, simulated.has_l3);
  simulated.timing = timing;
  if (!simulated.has_l3) simulated.timing.l3_ns = timing.core_transfer_ns;
  simulated.memories = own_memories(machine, simulated.hierarchy, timing);
  add_other_memories(simulated, machine, tiers);
  simulated.energy = energy;
  return simulated;
}

}  // namespace gable::kmaf
