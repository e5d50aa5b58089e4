// Memory nodes: the CPUs they belong to, and their kind of memory.

#include <algorithm>

#include "base/sorting.hpp"
#include "machines/tiers.hpp"
#include "machines/topology.hpp"

namespace gable::machines {

namespace {

std::uint64_t memory_side_cache_bytes(hwloc_obj_t node, model::Tiers tier) {
  std::uint64_t bytes = 0;
  for (hwloc_obj_t above = node->parent; above; above = above->parent) {
    // A memory-side cache within the CPU's cache hierarchy is in front of everything attached below it; it
    // consists of the fast memory.
    const bool own = above->type == HWLOC_OBJ_MEMCACHE || tier != model::Tier::hbm;
    if (own && is_memory_side_cache(above)) bytes += above->attr->cache.size;
  }
  return bytes;
}

// Marks nodes that belong to no PU. A PU belongs to the node with the smallest locality that contains it;
// among several, ordinary memory comes before special kinds, then the lower index.
void find_cpuless(const std::vector<hwloc_obj_t>& objects, std::vector<Node>& nodes) {
  struct Candidate {
    std::size_t at;
    bool special;
    int cpus;
    unsigned os_index;
  };
  std::vector<Candidate> order;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    order.push_back({i, !nodes[i].tier.empty() && nodes[i].tier != model::plain_tier,
                     hwloc_bitmap_weight(objects[i]->complete_cpuset), nodes[i].os_index});
  }
  sort_with(order, [](const Candidate& a, const Candidate& b) {
    return std::tie(a.special, a.cpus, a.os_index) < std::tie(b.special, b.cpus, b.os_index);
  });
  Bitmap taken(hwloc_bitmap_alloc());
  for (const Candidate& candidate : order) {
    hwloc_const_bitmap_t cpus = objects[candidate.at]->complete_cpuset;
    nodes[candidate.at].cpuless = hwloc_bitmap_isincluded(cpus, taken.get());
    hwloc_bitmap_or(taken.get(), taken.get(), cpus);
  }
}

// The speed of a node relative to ordinary memory, both seen from one cluster.
Speed compare_speed(const std::vector<Node>& nodes, std::size_t at,
                    const std::vector<Attribute>& attributes) {
  auto is_plain = [&](unsigned os_index) {
    return std::ranges::any_of(nodes, [&](const Node& node) {
      return node.os_index == os_index && !node.cpuless &&
             (node.tier.empty() || node.tier == model::plain_tier);
    });
  };
  for (const Attribute& it : attributes) {
    if (it.node != nodes[at].os_index) continue;
    for (const Attribute& base : attributes) {
      if (base.cluster != it.cluster || !is_plain(base.node)) continue;
      Speed speed;
      if (it.gb_per_s && base.gb_per_s && *base.gb_per_s > 0) speed.bandwidth = *it.gb_per_s / *base.gb_per_s;
      if (it.ns && base.ns && *base.ns > 0) speed.latency = *it.ns / *base.ns;
      return speed;
    }
  }
  return {};
}

// hwloc names the CXL device since 2.10. The path of the DAX device in /sys shows it to earlier versions:
// "ACPI0017:00/root0/decoder0.0/region0/dax_region0",
// "ACPI0017:00/root0/nvdimm-bridge0/ndbus0/region0/dax0.0".
bool is_behind_cxl(hwloc_obj_t node) {
  const std::string path = info(node, "DAXParent");
  return !info(node, "CXLDevice").empty() || path.find("/decoder") != std::string::npos ||
         path.find("/nvdimm-bridge") != std::string::npos;
}

// Since 2.10, hwloc numbers tiers of memory. Of two unknown ones, it names the faster HBM and the slower
// DRAM, even where they are DRAM and memory behind CXL.
bool is_guess(hwloc_obj_t node, const std::string& subtype, const std::vector<Attribute>& attributes) {
  if ((subtype != "HBM" && subtype != "DRAM") || info(node, "MemoryTier").empty()) return false;
  return std::ranges::any_of(attributes, [&](const Attribute& attribute) {
    return attribute.node == node->os_index && attribute.gb_per_s;
  });
}

Label label_of(hwloc_obj_t node, const std::vector<Attribute>& attributes) {
  std::string subtype = node->subtype ? node->subtype : "";
  if (is_guess(node, subtype, attributes)) subtype.clear();
  return label(subtype, info(node, "DAXType"), is_behind_cxl(node));
}

}  // namespace

std::vector<Node> read_nodes(hwloc_topology_t topology, const std::vector<Cluster>& clusters,
                             const std::vector<Attribute>& attributes) {
  std::vector<hwloc_obj_t> found = objects(topology, HWLOC_OBJ_NUMANODE);
  sort_with(found, [](auto* a, auto* b) { return a->os_index < b->os_index; });
  std::vector<Node> nodes;
  std::vector<Label> labels;
  for (hwloc_obj_t object : found) {
    Node node;
    node.os_index = object->os_index;
    labels.push_back(label_of(object, attributes));
    node.subtype = labels.back().subtype;
    node.tier = tier_by_label(labels.back());
    node.bytes = object->attr->numanode.local_memory;
    nodes.push_back(node);
  }
  find_cpuless(found, nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].tier.empty()) continue;
    nodes[i].tier =
        tier_by_speed(nodes[i].cpuless ? compare_speed(nodes, i, attributes) : Speed{}, labels[i]);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].memory_side_cache_bytes = memory_side_cache_bytes(found[i], nodes[i].tier);
    for (const Cluster& cluster : clusters) {
      if (std::ranges::count(cluster.nodes, nodes[i].os_index) != 0) {
        nodes[i].local_to.push_back(cluster.index);
      }
    }
  }
  return nodes;
}

}  // namespace gable::machines
