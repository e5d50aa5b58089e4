// hwloc's memory attributes, read and written for every pair of cluster and node.

#include "machines/attributes.hpp"

#include <fmt/core.h>

#include <cmath>
#include <regex>

#include "machines/topology.hpp"

namespace gable::machines {

namespace {

constexpr double bytes_per_mib = 1024.0 * 1024.0;

hwloc_location location_of(hwloc_bitmap_t cpuset) {
  hwloc_location location;
  location.type = HWLOC_LOCATION_TYPE_CPUSET;
  location.location.cpuset = cpuset;
  return location;
}

// hwloc answers for an initiator that lies inside the recorded one: the cluster, or a core of it where the
// system recorded single cores. A value of 0 is the firmware's way to say nothing.
std::optional<double> value_of(hwloc_topology_t topology, hwloc_memattr_id_t id, hwloc_obj_t node,
                               const Cluster& cluster) {
  Bitmap whole = cpuset_of(cluster);
  Bitmap first(hwloc_bitmap_alloc());
  hwloc_bitmap_only(first.get(), cluster.cores.front().pus.front());
  for (const Bitmap* cpuset : {&whole, &first}) {
    hwloc_location initiator = location_of(cpuset->get());
    hwloc_uint64_t value = 0;
    if (hwloc_memattr_get_value(topology, id, node, &initiator, 0, &value) == 0 && value != 0) {
      return static_cast<double>(value);
    }
  }
  return std::nullopt;
}

std::optional<double> first_value(hwloc_topology_t topology, std::initializer_list<hwloc_memattr_id_t> ids,
                                  hwloc_obj_t node, const Cluster& cluster) {
  for (hwloc_memattr_id_t id : ids) {
    if (const auto value = value_of(topology, id, node, cluster)) return value;
  }
  return std::nullopt;
}

// hwloc has no call that removes a value, and stale ones would compete with the measured.
std::string without_attribute(const std::string& xml, const char* name) {
  const std::regex element(fmt::format(R"(\s*<memattr name="{}"(?:[^>]*/>|[\s\S]*?</memattr>))", name));
  return std::regex_replace(xml, element, "");
}

void set_value(hwloc_topology_t topology, hwloc_memattr_id_t id, hwloc_obj_t node, const Cluster& cluster,
               double value) {
  Bitmap cpuset = cpuset_of(cluster);
  hwloc_location initiator = location_of(cpuset.get());
  const auto rounded = static_cast<hwloc_uint64_t>(std::llround(value));
  if (hwloc_memattr_set_value(topology, id, node, &initiator, 0, rounded) != 0) {
    throw TopologyError(
        fmt::format("hwloc does not take a value for cluster {}, node {}", cluster.index, node->os_index));
  }
}

}  // namespace

std::vector<Attribute> read_attributes(hwloc_topology_t topology, const std::vector<Cluster>& clusters) {
  std::vector<Attribute> attributes;
  for (const Cluster& cluster : clusters) {
    for (hwloc_obj_t node : objects(topology, HWLOC_OBJ_NUMANODE)) {
      Attribute attribute{cluster.index, node->os_index, std::nullopt, std::nullopt};
      const auto mib_per_s =
          first_value(topology, {HWLOC_MEMATTR_ID_BANDWIDTH, HWLOC_MEMATTR_ID_READ_BANDWIDTH}, node, cluster);
      if (mib_per_s) attribute.gb_per_s = *mib_per_s * bytes_per_mib / 1e9;
      attribute.ns =
          first_value(topology, {HWLOC_MEMATTR_ID_LATENCY, HWLOC_MEMATTR_ID_READ_LATENCY}, node, cluster);
      if (attribute.gb_per_s || attribute.ns) attributes.push_back(attribute);
    }
  }
  return attributes;
}

std::string with_measured_attributes(const std::string& xml_path, const std::vector<Attribute>& measured) {
  std::string xml = export_xml(load_xml(xml_path, Keep::everything).get());
  for (const char* name : {"Bandwidth", "Latency"}) xml = without_attribute(xml, name);
  Topology topology = load_xml_text(xml, xml_path, Keep::everything);
  const Grouping grouping = group_cores(topology.get());
  for (const Attribute& attribute : measured) {
    hwloc_obj_t node = hwloc_get_numanode_obj_by_os_index(topology.get(), attribute.node);
    if (attribute.cluster < 0 || attribute.cluster >= static_cast<int>(grouping.clusters.size()) || !node) {
      throw TopologyError(fmt::format("{}: has no cluster {} with node {}, which was measured", xml_path,
                                      attribute.cluster, attribute.node));
    }
    const Cluster& cluster = grouping.clusters[attribute.cluster];
    if (attribute.gb_per_s) {
      set_value(topology.get(), HWLOC_MEMATTR_ID_BANDWIDTH, node, cluster,
                *attribute.gb_per_s * 1e9 / bytes_per_mib);
    }
    if (attribute.ns) set_value(topology.get(), HWLOC_MEMATTR_ID_LATENCY, node, cluster, *attribute.ns);
  }
  return export_xml(topology.get());
}

}  // namespace gable::machines
