#pragma once

// The description of a machine: clusters of cores, caches, memory nodes and their tiers, as hwloc reports
// them. Only this folder includes hwloc.h.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/domain/level.hpp"
#include "model/domain/tier.hpp"

namespace gable::machines {

struct Core {
  std::vector<unsigned> pus;  ///< os indices of its hardware threads, ascending
  bool operator==(const Core&) const = default;
};

/// The data caches (or unified caches) of one level.
struct Cache {
  int level = 0;
  std::uint64_t bytes = 0;          ///< of one instance; the smallest if they differ; 0: unknown
  std::uint64_t largest_bytes = 0;  ///< of the largest instance: differs from `bytes` where cores differ
  int count = 0;                    ///< instances
  int pus_sharing = 0;              ///< hardware threads that share one instance; the maximum if they differ
  int cores_sharing = 0;            ///< cores that share one instance; the maximum if they differ
  int ways = 0;  ///< lines of 64 bytes in a set; 0: not known, or other lines, or instances differ
  std::optional<bool> inclusive = {};  ///< whether it holds all lines of the previous caches; x86: by CPUID
  bool operator==(const Cache&) const = default;
};

/// Instructions that one core can execute in a cycle, by its maker's description of its ports: on vectors of
/// the ISA's full width (tables 1 and 3 of the LARM paper, "theoretical").
struct PerCycle {
  std::string isa;  ///< "avx512", "avx2"
  double load = 0, store = 0, add = 0, mul = 0, fma = 0;
};

/// The cores of one kind that share the same local memory nodes, with those nodes (LARM paper, section 2 and
/// footnote 3).
struct Cluster {
  int index = 0;
  std::string kind;  ///< of its cores where the machine has several: "P", "E", "kind 0", ...; else empty
  std::string core;  ///< microarchitecture: "Golden Cove"; empty: not known
  std::vector<Core> cores;
  /// Os indices of the local memory nodes that have memory: DRAM first, then by os index. Empty for cores
  /// whose own memory is absent or forbidden to this process: all their memory is remote.
  std::vector<unsigned> nodes;
  std::vector<Cache>
      caches;  ///< the caches of this cluster's cores, level ascending; count within the cluster
};

struct Node {
  unsigned os_index = 0;
  model::Tiers tier;    ///< one
  std::string subtype;  ///< the name hwloc gives it ("MCDRAM", "DRAM", ...), may be empty
  std::uint64_t bytes = 0;
  bool cpuless = false;  ///< the node belongs to no CPU: it is behind a link, or beside the node of the CPUs
  std::uint64_t memory_side_cache_bytes = 0;
  std::vector<int> local_to;  ///< clusters it is local to; empty: reachable, but local to none
};

/// hwloc's attributes of (cluster, node) before any measurement: from HMAT, or an annotated topology.
struct Attribute {
  int cluster = 0;
  unsigned node = 0;
  std::optional<double> gb_per_s;
  std::optional<double> ns;
};

struct Machine {
  bool is_this_host = false;  ///< this process runs on it and can measure it
  std::string name;           ///< host name of the topology, may be empty
  std::string cpu_model;
  std::vector<Cluster> clusters;
  std::vector<Node> nodes;    ///< ascending os index
  std::vector<Cache> caches;  ///< of the whole machine, level ascending; no memory-side caches
  std::vector<std::vector<double>>
      distances;  ///< [i][j] as the firmware says, in order of `nodes`; may be empty
  std::vector<Attribute> attributes;
  std::string topology_xml;  ///< hwloc's export of the loaded topology
};

/// What a core of this microarchitecture (as in Cluster::core) can do, one row for each ISA; empty: not
/// known.
std::vector<PerCycle> per_cycle(const std::string& core);

/// The level that the memory-side caches of the machine are in a Case: the memory they are made of if the CPU
/// tells it ("MCDRAM", "HBM"), otherwise "MSC".
model::Level memory_side_cache_level(const Machine& machine);
/// The tier of that memory; none: not known.
model::Tiers memory_side_cache_tier(const Machine& machine);

/// Os indices of the cluster's hardware threads, ascending.
std::vector<unsigned> hardware_threads(const Cluster& cluster);

/// The number of cores of all clusters together.
int core_count(const Machine& machine);

/// This machine as far as this process may use it (cpuset, cgroup); respects `HWLOC_*` variables.
Machine this_machine();
/// A machine recorded as hwloc XML (version 2).
Machine from_xml(const std::string& path);
/// The os indices of the hardware threads of each package of a machine recorded as hwloc XML.
std::vector<std::vector<unsigned>> packages_of_xml(const std::string& path);
/// A machine from hwloc's synthetic description ("node:2 core:4 pu:1").
Machine from_synthetic(const std::string& description);

}  // namespace gable::machines
