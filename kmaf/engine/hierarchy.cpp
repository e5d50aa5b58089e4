#include "kmaf/engine/hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace gable::kmaf {

namespace {

using machines::Cluster;
using machines::Machine;

// The number of cores that share each cache level of a cluster, for levels that group cores; outermost first.
std::vector<int> groupings(const Cluster& cluster) {
  const int cores = static_cast<int>(cluster.cores.size());
  std::vector<int> sharing;
  for (auto cache = cluster.caches.rbegin(); cache != cluster.caches.rend(); ++cache) {
    const int outer = sharing.empty() ? cores : sharing.back();
    const int inner = cache->cores_sharing;
    if (inner > 1 && inner < outer && outer % inner == 0) sharing.push_back(inner);
  }
  return sharing;
}

// Arity of the levels of one cluster: cache groups, cores, hardware threads.
std::vector<int> arities(const Cluster& cluster) {
  std::vector<int> result;
  int outer = static_cast<int>(cluster.cores.size());
  for (const int inner : groupings(cluster)) {
    result.push_back(outer / inner);
    outer = inner;
  }
  result.push_back(outer);
  std::size_t threads = 1;
  for (const auto& core : cluster.cores) threads = std::max(threads, core.pus.size());
  result.push_back(static_cast<int>(threads));
  return result;
}

// The smallest regular tree that contains every cluster's tree. Clusters that group their cores differently
// lose their cache levels.
std::vector<int> common_arities(const std::vector<const Cluster*>& clusters) {
  std::vector<int> common = arities(*clusters.front());
  for (const Cluster* cluster : clusters) {
    const std::vector<int> own = arities(*cluster);
    if (own == common) continue;
    const auto cores_of = [](const std::vector<int>& levels) {
      int cores = 1;
      for (std::size_t i = 0; i + 1 < levels.size(); ++i) cores *= levels[i];
      return cores;
    };
    common = {std::max(cores_of(common), cores_of(own)), std::max(common.back(), own.back())};
  }
  return common;
}

std::vector<Level> make_levels(int clusters, const std::vector<int>& inside) {
  constexpr int step = 4;
  std::vector<Level> levels;
  if (clusters > 1) levels.push_back({clusters, 0});
  for (const int arity : inside) {
    if (arity > 1) levels.push_back({arity, 0});
  }
  int cost = 1;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level, cost *= step) level->cost = cost;
  return levels;
}

std::uint64_t outermost_cache(const Cluster& cluster) {
  const auto outermost = std::ranges::max_element(
      cluster.caches, [](const auto& a, const auto& b) { return a.level < b.level; });
  return outermost == cluster.caches.end() ? 0 : outermost->bytes;
}

unsigned memory_of(const Machine& machine, const Cluster& cluster) {
  if (!cluster.nodes.empty()) return cluster.nodes.front();
  if (machine.nodes.empty()) throw Error::usage("the machine has no memory node");
  return machine.nodes.front().os_index;
}

}  // namespace

Hierarchy hierarchy_of(const Machine& machine) {
  std::vector<const Cluster*> clusters;
  for (const Cluster& cluster : machine.clusters) {
    if (!cluster.cores.empty()) clusters.push_back(&cluster);
  }
  if (clusters.empty()) throw Error::usage("the machine has no cores");
  const std::vector<int> inside = common_arities(clusters);
  Hierarchy hierarchy;
  hierarchy.levels = make_levels(static_cast<int>(clusters.size()), inside);
  hierarchy.cache_bytes = outermost_cache(*clusters.front());
  for (const Cluster* cluster : clusters)
    hierarchy.cache_bytes = std::min(hierarchy.cache_bytes, outermost_cache(*cluster));
  int slots_of_cluster = 1;
  for (const int arity : inside) slots_of_cluster *= arity;
  int core_number = 0;
  for (std::size_t node = 0; node < clusters.size(); ++node) {
    hierarchy.nodes.push_back(memory_of(machine, *clusters[node]));
    hierarchy.clusters.push_back(clusters[node]->index);
    int slot = static_cast<int>(node) * slots_of_cluster;
    for (const auto& core : clusters[node]->cores) {
      for (std::size_t thread = 0; thread < core.pus.size(); ++thread) {
        hierarchy.leaves.push_back(
            {core.pus[thread], static_cast<int>(node), core_number, slot + static_cast<int>(thread)});
      }
      slot += inside.back();
      ++core_number;
    }
  }
  return hierarchy;
}

bool use_measured_costs(Hierarchy& hierarchy, const MeasuredCost& cost) {
  constexpr std::size_t enough_leaves = 64;
  constexpr double innermost = 4, most = 500;  // Scotch adds loads times costs in 32 bits
  std::map<int, std::vector<double>> of_level;
  const std::size_t step = 1 + hierarchy.leaves.size() / enough_leaves;
  for (std::size_t i = 0; i < hierarchy.leaves.size(); i += step) {
    for (std::size_t j = 0; j < hierarchy.leaves.size(); ++j) {
      if (i == j) continue;
      const auto measured = cost(hierarchy.leaves[i].pu, hierarchy.leaves[j].pu);
      if (measured)
        of_level[hierarchy.distance(static_cast<int>(i), static_cast<int>(j))].push_back(*measured);
    }
  }
  std::vector<Level> levels = hierarchy.levels;
  double unit = 0;
  int inside = 0;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const std::vector<double>& values = of_level[level->cost];
    if (values.empty()) return false;
    const double middle = upper_median(values);
    if (unit == 0) unit = middle / innermost;
    level->cost = static_cast<int>(std::min(most, std::round(middle / unit)));
    if (level->cost <= inside) return false;
    inside = level->cost;
  }
  hierarchy.levels = std::move(levels);
  return true;
}

int Hierarchy::slots() const {
  int slots = 1;
  for (const Level& level : levels) slots *= level.arity;
  return slots;
}

int Hierarchy::distance(int leaf, int other) const {
  int parts = slots();
  const int a = leaves[static_cast<std::size_t>(leaf)].slot, b = leaves[static_cast<std::size_t>(other)].slot;
  for (const Level& level : levels) {
    parts /= level.arity;
    if (a / parts != b / parts) return level.cost;
  }
  return 0;
}

std::optional<int> Hierarchy::leaf_of_pu(unsigned pu) const {
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    if (leaves[leaf].pu == pu) return static_cast<int>(leaf);
  }
  return {};
}

}  // namespace gable::kmaf
