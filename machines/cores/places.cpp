#include "machines/cores/places.hpp"

#include <algorithm>
#include <map>

#include "machines/topology.hpp"

namespace gable::machines {

namespace {

int number_of(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t pu) {
  hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(topology, type, pu);
  if (found == nullptr || is_memory_side_cache(found)) return -1;
  return static_cast<int>(found->logical_index);
}

}  // namespace

std::vector<Place> places_of(const Machine& machine) {
  const Topology topology = load_xml_text(machine.topology_xml, "the machine's topology", Keep::machine);
  std::map<unsigned, hwloc_obj_t> objects_of_pus;
  for (hwloc_obj_t pu : objects(topology.get(), HWLOC_OBJ_PU)) objects_of_pus[pu->os_index] = pu;
  std::vector<Place> places;
  int core = 0;
  for (const Cluster& cluster : machine.clusters) {
    for (const Core& each : cluster.cores) {
      for (const unsigned pu : each.pus) {
        hwloc_obj_t object = objects_of_pus.at(pu);
        places.push_back({.pu = pu,
                          .core = core,
                          .l2 = number_of(topology.get(), HWLOC_OBJ_L2CACHE, object),
                          .l3 = number_of(topology.get(), HWLOC_OBJ_L3CACHE, object),
                          .node = cluster.nodes.empty() ? -1 : static_cast<int>(cluster.nodes.front()),
                          .package = number_of(topology.get(), HWLOC_OBJ_PACKAGE, object),
                          .cluster = cluster.index,
                          .kind = cluster.kind});
      }
      ++core;
    }
  }
  return places;
}

std::optional<double> distance_between(const Machine& machine, unsigned from, unsigned to) {
  const auto index = [&](unsigned node) {
    const auto found = std::ranges::find(machine.nodes, node, &Node::os_index);
    return static_cast<std::size_t>(found - machine.nodes.begin());
  };
  const std::size_t row = index(from), column = index(to);
  if (row >= machine.distances.size() || column >= machine.distances[row].size()) return std::nullopt;
  return machine.distances[row][column];
}

}  // namespace gable::machines
