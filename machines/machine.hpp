#pragma once

// What a machine is: clusters of cores, caches, memory nodes and their tiers, as hwloc shows them.
// The only folder that includes hwloc.h.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gable::machines {

/// A topology that cannot be loaded: names the file and what is wrong with it.
struct TopologyError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Core {
  std::vector<unsigned> pus;  ///< os indices of its hardware threads, ascending
};

/// The data caches (or unified caches) of one level.
struct Cache {
  int level = 0;
  std::uint64_t bytes = 0;          ///< of one instance; the smallest where they differ; 0: not known
  std::uint64_t largest_bytes = 0;  ///< of the largest instance: differs from `bytes` where cores differ
  int count = 0;                    ///< instances
  int pus_sharing = 0;              ///< hardware threads that share one instance; the most where they differ
  int cores_sharing = 0;            ///< cores that share one instance; the most where they differ
};

/// The cores that share the same local memory nodes, with those nodes (LARM paper, section 2 and footnote 3).
struct Cluster {
  int index = 0;
  std::vector<Core> cores;
  /// Os indices of the local memory nodes that have memory: DRAM first, then by os index. Empty for cores
  /// whose own memory is absent, or off limits for this process: all their memory is remote.
  std::vector<unsigned> nodes;
  std::vector<Cache> caches;  ///< what this cluster's cores see, level ascending; count within the cluster
};

struct Node {
  unsigned os_index = 0;
  std::string tier;     ///< "DRAM", "HBM", "NVM", "CXL"; "GPU": an accelerator's memory that the CPUs may use
  std::string subtype;  ///< the name hwloc gives it ("MCDRAM", "DRAM", ...), may be empty
  std::uint64_t bytes = 0;
  bool cpuless = false;  ///< no CPU's own memory: behind a link, or beside the node that the CPUs belong to
  std::uint64_t memory_side_cache_bytes = 0;
  std::vector<int> local_to;  ///< clusters it is local to; empty: reachable, local to none
};

/// What hwloc knows of (cluster, node) before anything is measured: HMAT, or an annotated topology.
struct Attribute {
  int cluster = 0;
  unsigned node = 0;
  std::optional<double> gb_per_s;
  std::optional<double> ns;
};

struct Machine {
  bool is_this_host = false;  ///< what this process runs on, and may measure
  std::string name;           ///< host name of the topology, may be empty
  std::string cpu_model;
  std::vector<Cluster> clusters;
  std::vector<Node> nodes;    ///< ascending os index
  std::vector<Cache> caches;  ///< of the whole machine, level ascending; no memory-side caches
  std::vector<std::vector<double>>
      distances;  ///< [i][j] as the firmware says, in order of `nodes`; may be empty
  std::vector<Attribute> attributes;
  std::string topology_xml;  ///< hwloc's export of what was loaded
};

/// This machine, as far as this process may use it (cpuset, cgroup); `HWLOC_*` variables are honoured.
Machine this_machine();
/// A machine recorded as hwloc XML (version 2).
Machine from_xml(const std::string& path);
/// A machine from hwloc's synthetic description ("node:2 core:4 pu:1").
Machine from_synthetic(const std::string& description);

}  // namespace gable::machines
