// Builds a Machine from a loaded topology.

#include "machines/machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/sorting.hpp"
#include "machines/files.hpp"
#include "machines/host.hpp"
#include "machines/topology.hpp"

namespace gable::machines {

namespace {

std::string cpu_model(hwloc_topology_t topology) {
  for (hwloc_obj_t package : objects(topology, HWLOC_OBJ_PACKAGE)) {
    if (auto model = info(package, "CPUModel"); !model.empty()) return model;
  }
  return info(hwloc_get_root_obj(topology), "CPUModel");
}

// The firmware's matrix in the order of `nodes`; empty if it does not cover all of them.
std::vector<std::vector<double>> read_distances(hwloc_topology_t topology, const std::vector<Node>& nodes) {
  unsigned count = 1;
  hwloc_distances_s* found = nullptr;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &found,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      count == 0) {
    return {};
  }
  auto release = [&](hwloc_distances_s* distances) { hwloc_distances_release(topology, distances); };
  const std::unique_ptr<hwloc_distances_s, decltype(release)> owner(found, release);
  std::map<unsigned, unsigned> position;
  for (unsigned i = 0; i < found->nbobjs; ++i) position[found->objs[i]->os_index] = i;
  std::vector<std::vector<double>> matrix;
  for (const Node& from : nodes) {
    auto& row = matrix.emplace_back();
    for (const Node& to : nodes) {
      if (!position.contains(from.os_index) || !position.contains(to.os_index)) return {};
      row.push_back(static_cast<double>(
          found->values[position[from.os_index] * found->nbobjs + position[to.os_index]]));
    }
  }
  return matrix;
}

// A node without memory is local to no cluster, unless the sizes of all nodes are unknown.
void drop_empty_nodes(hwloc_topology_t topology, std::vector<Cluster>& clusters) {
  std::map<unsigned, bool> empty;
  bool any = false;
  for (hwloc_obj_t node : objects(topology, HWLOC_OBJ_NUMANODE)) {
    empty[node->os_index] = node->attr->numanode.local_memory == 0;
    any = any || !empty[node->os_index];
  }
  if (!any) return;
  for (Cluster& cluster : clusters) std::erase_if(cluster.nodes, [&](unsigned node) { return empty[node]; });
}

void put_dram_first(Machine& machine) {
  std::map<unsigned, bool> special;
  for (const Node& node : machine.nodes) special[node.os_index] = node.tier != model::plain_tier;
  for (Cluster& cluster : machine.clusters) {
    sort_with(cluster.nodes, [&](unsigned a, unsigned b) { return special[a] < special[b]; });
  }
}

Machine read_machine(hwloc_topology_t topology) {
  Machine machine;
  Grouping grouping = group_cores(topology);
  machine.is_this_host = hwloc_topology_is_thissystem(topology) != 0;
  machine.name = info(hwloc_get_root_obj(topology), "HostName");
  machine.cpu_model = cpu_model(topology);
  machine.caches = read_caches(topology, grouping);
  machine.clusters = std::move(grouping.clusters);
  drop_empty_nodes(topology, machine.clusters);
  set_cores(topology, machine.clusters);
  machine.attributes = read_attributes(topology, machine.clusters);
  machine.nodes = read_nodes(topology, machine.clusters, machine.attributes);
  machine.distances = read_distances(topology, machine.nodes);
  put_dram_first(machine);
  machine.topology_xml = export_xml(topology);
  return machine;
}

// A kernel that initializes memory late counts it in /proc/meminfo, but not in its only node.
void count_all_memory(Machine& machine) {
  if (!machine.is_this_host || machine.nodes.size() != 1) return;
  Node& only = machine.nodes.front();
  only.bytes = std::max(only.bytes, this_host().memory_bytes);
}

// hwloc makes up one node where sysfs shows none, as in some containers.
void check_nodes(const Machine& machine) {
  const std::string allowed = read_field("/proc/self/status", "Mems_allowed_list", ':');
  if (!machine.is_this_host || machine.nodes.size() != 1 || allowed.find_first_of("-,") == std::string::npos)
    return;
  throw Error::format(
      "this machine's topology",
      fmt::format(
          "this process may use the memory nodes {}, but hwloc finds only one: /sys/devices/system/node "
          "does not show them here",
          allowed));
}

bool is_xeon_phi(const Machine& machine) {
  return machine.cpu_model.find("Xeon Phi") != std::string::npos;
}

}  // namespace

model::Level memory_side_cache_level(const Machine& machine) {
  if (memory_side_cache_tier(machine).empty()) return model::Level("MSC");
  return model::Level(is_xeon_phi(machine) ? "MCDRAM" : "HBM");
}

model::Tiers memory_side_cache_tier(const Machine& machine) {
  const bool is_xeon_max = machine.cpu_model.find("CPU Max") != std::string::npos;
  return is_xeon_phi(machine) || is_xeon_max ? model::Tier::hbm : model::Tiers();
}

std::vector<unsigned> hardware_threads(const Cluster& cluster) {
  std::vector<unsigned> pus;
  for (const Core& core : cluster.cores) pus.insert(pus.end(), core.pus.begin(), core.pus.end());
  std::ranges::sort(pus);
  return pus;
}

int core_count(const Machine& machine) {
  int cores = 0;
  for (const Cluster& cluster : machine.clusters) cores += static_cast<int>(cluster.cores.size());
  return cores;
}

Machine this_machine() {
  Machine machine = read_machine(load_this_machine().get());
  check_nodes(machine);
  count_all_memory(machine);
  return machine;
}
Machine from_xml(const std::string& path) {
  return read_machine(load_xml(path).get());
}
std::vector<std::vector<unsigned>> packages_of_xml(const std::string& path) {
  const Topology topology = load_xml(path);
  std::vector<std::vector<unsigned>> packages;
  for (hwloc_obj_t package : objects(topology.get(), HWLOC_OBJ_PACKAGE)) {
    packages.emplace_back();
    for (int pu = hwloc_bitmap_first(package->cpuset); pu >= 0; pu = hwloc_bitmap_next(package->cpuset, pu))
      packages.back().push_back(static_cast<unsigned>(pu));
  }
  return packages;
}
Machine from_synthetic(const std::string& description) {
  return read_machine(load_synthetic(description).get());
}

}  // namespace gable::machines
