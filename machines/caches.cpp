// Data and unified caches, one row per level, of the machine and of each cluster.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "machines/topology.hpp"

namespace gable::machines {

namespace {

// The part of one cache that belongs to one cluster.
struct Share {
  int pus = 0;
  std::set<int> cores;
};

// hwloc has 0 for an unknown associativity and -1 for a fully associative cache. Both become 0.
int ways_of(hwloc_obj_t cache) {
  const hwloc_obj_attr_u::hwloc_cache_attr_s& about = cache->attr->cache;
  return about.linesize == 64 ? std::max(0, about.associativity) : 0;
}

class Levels {
 public:
  void add(hwloc_obj_t cache, const Share& share) {
    const int level = static_cast<int>(cache->attr->cache.depth);
    const std::uint64_t bytes = cache->attr->cache.size;
    Cache& row = rows_.try_emplace(level, Cache{.level = level}).first->second;
    if (bytes != 0) {
      row.bytes = row.bytes == 0 ? bytes : std::min(row.bytes, bytes);
      row.largest_bytes = std::max(row.largest_bytes, bytes);
    }
    const std::string says = info(cache, "Inclusive");
    const std::optional<bool> inclusive = says.empty() ? std::nullopt : std::optional(says == "1");
    row.inclusive = row.count == 0 || row.inclusive == inclusive ? inclusive : std::nullopt;
    row.ways = row.count == 0 || row.ways == ways_of(cache) ? ways_of(cache) : 0;
    row.count += 1;
    row.pus_sharing = std::max(row.pus_sharing, share.pus);
    row.cores_sharing = std::max(row.cores_sharing, static_cast<int>(share.cores.size()));
  }

  std::vector<Cache> rows() const {
    std::vector<Cache> all;
    for (const auto& [level, row] : rows_) all.push_back(row);
    return all;
  }

 private:
  std::map<int, Cache> rows_;
};

}  // namespace

bool is_memory_side_cache(hwloc_obj_t object) {
  return object->type == HWLOC_OBJ_MEMCACHE ||
         (hwloc_obj_type_is_dcache(object->type) && object->subtype != nullptr &&
          std::string_view(object->subtype) == "MemorySideCache");
}

std::vector<Cache> read_caches(hwloc_topology_t topology, Grouping& grouping) {
  Levels machine;
  std::vector<Levels> clusters(grouping.clusters.size());
  for (int type = HWLOC_OBJ_L1CACHE; type <= HWLOC_OBJ_L5CACHE; ++type) {
    for (hwloc_obj_t cache : objects(topology, static_cast<hwloc_obj_type_t>(type))) {
      if (is_memory_side_cache(cache)) continue;
      Share all;
      std::map<int, Share> in_cluster;
      for (hwloc_obj_t pu = nullptr;
           (pu = hwloc_get_next_obj_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_PU, pu));) {
        const unsigned at = pu->logical_index;
        for (Share* share : {&all, &in_cluster[grouping.cluster_of_pu[at]]}) {
          share->pus += 1;
          share->cores.insert(grouping.core_of_pu[at]);
        }
      }
      machine.add(cache, all);
      for (const auto& [cluster, share] : in_cluster) clusters[cluster].add(cache, share);
    }
  }
  for (std::size_t i = 0; i < clusters.size(); ++i) grouping.clusters[i].caches = clusters[i].rows();
  return machine.rows();
}

}  // namespace gable::machines
