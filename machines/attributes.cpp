// hwloc's memory attributes, read and written for every pair of cluster and node.

#include "machines/attributes.hpp"

#include <fmt/core.h>
#include <cctype>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "machines/topology.hpp"

namespace gable::machines {

namespace {

constexpr double bytes_per_mib = 1024.0 * 1024.0;

hwloc_const_bitmap_t cpus_of(const hwloc_location& location) {
  return location.type == HWLOC_LOCATION_TYPE_CPUSET ? location.location.cpuset
                                                     : location.location.object->cpuset;
}

// The value from the smallest initiator that contains the whole cluster, otherwise from its first core. The
// initiator may be recorded as a set of CPUs or as an object; hwloc_memattr_get_value finds only one of the
// two. Firmware uses 0 for an unknown value.
std::optional<double> value_of(hwloc_topology_t topology, hwloc_memattr_id_t id, hwloc_obj_t node,
                               const Cluster& cluster) {
  unsigned count = 0;
  if (hwloc_memattr_get_initiators(topology, id, node, 0, &count, nullptr, nullptr) != 0) return std::nullopt;
  std::vector<hwloc_location> initiators(count);
  std::vector<hwloc_uint64_t> values(count);
  if (count == 0 ||
      hwloc_memattr_get_initiators(topology, id, node, 0, &count, initiators.data(), values.data()) != 0) {
    return std::nullopt;
  }
  Bitmap whole = cpuset_of(cluster);
  Bitmap first(hwloc_bitmap_alloc());
  for (unsigned pu : cluster.cores.front().pus) hwloc_bitmap_set(first.get(), pu);
  for (const Bitmap* spec : {&whole, &first}) {
    std::optional<double> best;
    int best_weight = std::numeric_limits<int>::max();
    for (unsigned i = 0; i < count; ++i) {
      hwloc_const_bitmap_t cpus = cpus_of(initiators[i]);
      if (values[i] == 0 || !cpus || !hwloc_bitmap_isincluded(spec->get(), cpus)) continue;
      if (const int weight = hwloc_bitmap_weight(cpus); weight < best_weight) {
        best = static_cast<double>(values[i]);
        best_weight = weight;
      }
    }
    if (best) return best;
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

// hwloc has no function that removes a value, and old values would compete with the measured ones.
std::string without_attribute(const std::string& xml, const char* name) {
  const std::string begin = fmt::format("<memattr name=\"{}\"", name), end = "</memattr>";
  std::string rest = xml;
  for (std::size_t from = rest.find(begin); from != std::string::npos; from = rest.find(begin, from)) {
    const std::size_t head = rest.find('>', from);
    const bool is_empty = head != std::string::npos && rest[head - 1] == '/';
    const std::size_t last = is_empty ? head : rest.find(end, from);
    if (last == std::string::npos) break;
    const std::size_t to = last + (is_empty ? 1 : end.size());
    while (from > 0 && std::isspace(static_cast<unsigned char>(rest[from - 1])) != 0) --from;
    rest.erase(from, to - from);
  }
  return rest;
}

void set_value(hwloc_topology_t topology, hwloc_memattr_id_t id, hwloc_obj_t node, const Cluster& cluster,
               double value) {
  Bitmap cpuset = cpuset_of(cluster);
  hwloc_location initiator;
  initiator.type = HWLOC_LOCATION_TYPE_CPUSET;
  initiator.location.cpuset = cpuset.get();
  const auto rounded = static_cast<hwloc_uint64_t>(std::llround(value));
  if (hwloc_memattr_set_value(topology, id, node, &initiator, 0, rounded) != 0) {
    throw Error::usage(
        fmt::format("hwloc rejects the value for cluster {}, node {}", cluster.index, node->os_index));
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
      throw Error::format(xml_path,
                          fmt::format("cluster {} with node {} was measured but is not in this file",
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
