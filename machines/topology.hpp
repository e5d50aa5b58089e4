#pragma once

// The interface to hwloc inside this folder: a loaded topology that frees itself, and small queries.

#include <hwloc.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machines/machine.hpp"

namespace gable::machines {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// How much of the topology is kept: what a Machine needs, or everything for a lossless export.
enum class Keep { machine, everything };

/// A topology that is not loaded yet, with hwloc's filters set.
Topology new_topology(Keep keep);

// Loading; each throws Error::format.
Topology load_this_machine();
Topology load_xml(const std::string& path, Keep keep = Keep::machine);
Topology load_xml_text(const std::string& text, const std::string& name, Keep keep);
Topology load_synthetic(const std::string& description);

/// The topology as hwloc XML, version 2.
std::string export_xml(hwloc_topology_t topology);

/// The objects of one type, in logical order.
std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type);

/// The info of that name; empty if there is none.
std::string info(hwloc_obj_t object, const char* name);

/// The kind of a core where cores differ, by hwloc's cpukinds: "P" and "E" of a hybrid Intel CPU, otherwise
/// "kind 0" (the most efficient), "kind 1", ...; empty where all are of one kind. "E (2.5 GHz)" where there
/// are several kinds of E cores. Cores of one type with the same L1 and L2 count as one kind if their highest
/// clocks (if these are not known: base clocks) differ by 15 % or less, and the capacities that Linux reports
/// for cores without a type by 5 % or less. If neither is known, hwloc's ranks tell the kinds.
class CoreKinds {
 public:
  explicit CoreKinds(hwloc_topology_t topology);
  std::string of(hwloc_const_bitmap_t core) const;

 private:
  struct Kind {
    Bitmap cpus;
    std::string name;
  };
  std::vector<Kind> kinds_;
};

/// hwloc's word for the type of the first of these cores, such as this one; empty: it has none.
inline constexpr std::string_view efficient_core = "IntelAtom";
std::string core_type(hwloc_topology_t topology, hwloc_const_bitmap_t cpus);

/// Sets the microarchitecture of every cluster, if it is known for the CPU's vendor, family and model.
void set_cores(hwloc_topology_t topology, std::vector<Cluster>& clusters);

/// Cores grouped by their local memory nodes and their kind. The vectors are indexed by logical PU index.
struct Grouping {
  std::vector<Cluster> clusters;  ///< in order of their first core; caches not filled in
  std::vector<int> cluster_of_pu;
  std::vector<int> core_of_pu;  ///< number of the core in the machine
};
Grouping group_cores(hwloc_topology_t topology);

/// The PUs of a cluster.
Bitmap cpuset_of(const Cluster& cluster);

/// The caches of the machine, and those of each cluster into `grouping.clusters`.
std::vector<Cache> read_caches(hwloc_topology_t topology, Grouping& grouping);

/// Whether the object is a cache in front of a memory node. In KNL's cache mode it is an L3 with that
/// subtype.
bool is_memory_side_cache(hwloc_obj_t object);

/// hwloc's bandwidth and latency of each (cluster, node).
std::vector<Attribute> read_attributes(hwloc_topology_t topology, const std::vector<Cluster>& clusters);

/// The memory nodes with their tiers, by ascending os index.
std::vector<Node> read_nodes(hwloc_topology_t topology, const std::vector<Cluster>& clusters,
                             const std::vector<Attribute>& attributes);

}  // namespace gable::machines
