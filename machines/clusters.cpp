// Clusters: cores grouped by their set of local memory nodes (LARM paper, section 2, footnote 3) and their
// kind.

#include <algorithm>
#include <map>

#include "machines/topology.hpp"

namespace gable::machines {

namespace {

std::string text_of(hwloc_const_bitmap_t bitmap) {
  char* raw = nullptr;
  if (hwloc_bitmap_list_asprintf(&raw, bitmap) < 0) return {};
  const std::unique_ptr<char, decltype(&std::free)> owner(raw, &std::free);
  return raw;
}

// A topology without core objects has one core per PU.
hwloc_obj_t core_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
  return core ? core : pu;
}

void sort_pus(Grouping& grouping) {
  for (Cluster& cluster : grouping.clusters) {
    for (Core& core : cluster.cores) std::ranges::sort(core.pus);
  }
}

}  // namespace

// A core's nodeset contains its local nodes according to hwloc: those attached to the core or to anything
// that contains it, as hwloc_get_local_numanode_objs finds them for one PU with LARGER_LOCALITY. The complete
// nodeset also contains nodes that this process may not use. With it, two sockets stay two clusters even if
// neither may use its memory.
Grouping group_cores(hwloc_topology_t topology) {
  Grouping grouping;
  std::map<std::string, int> cluster_of_nodes;  // and of a kind of core
  const CoreKinds kinds(topology);
  hwloc_obj_t last = nullptr;
  int cores = 0;
  for (hwloc_obj_t pu : objects(topology, HWLOC_OBJ_PU)) {
    hwloc_obj_t core = core_of(topology, pu);
    if (core == last) {
      const int cluster = grouping.cluster_of_pu.back();
      grouping.clusters[cluster].cores.back().pus.push_back(pu->os_index);
      grouping.cluster_of_pu.push_back(cluster);
      grouping.core_of_pu.push_back(cores - 1);
      continue;
    }
    last = core;
    const auto next = static_cast<int>(grouping.clusters.size());
    const std::string kind = kinds.of(core->cpuset);
    const auto [entry, is_new] =
        cluster_of_nodes.try_emplace(text_of(core->complete_nodeset) + "/" + kind, next);
    if (is_new) {
      Cluster& cluster = grouping.clusters.emplace_back();
      cluster.index = next;
      cluster.kind = kind;
    }
    Cluster& cluster = grouping.clusters[entry->second];
    cluster.cores.push_back(Core{{pu->os_index}});
    if (is_new) {
      unsigned node;
      hwloc_bitmap_foreach_begin(node, core->nodeset) cluster.nodes.push_back(node);
      hwloc_bitmap_foreach_end();
    }
    grouping.cluster_of_pu.push_back(entry->second);
    grouping.core_of_pu.push_back(cores++);
  }
  sort_pus(grouping);
  return grouping;
}

Bitmap cpuset_of(const Cluster& cluster) {
  Bitmap cpuset(hwloc_bitmap_alloc());
  for (const Core& core : cluster.cores) {
    for (unsigned pu : core.pus) hwloc_bitmap_set(cpuset.get(), pu);
  }
  return cpuset;
}

}  // namespace gable::machines
