#include "bench/plan/pairs.hpp"

#include <algorithm>
#include <tuple>

#include "bench/plan/distance.hpp"
#include "bench/plan/patterns.hpp"

namespace gable::bench {

namespace {

using machines::Cluster;
using machines::Machine;
using machines::Node;

std::vector<Pair> pairs_of(const Machine& machine, const Cluster& cluster) {
  std::vector<Node> local, remote;
  for (const Node& node : usable_nodes(machine))
    (is_local_to(cluster, node.os_index) ? local : remote).push_back(node);
  std::vector<Pair> found;
  for (std::size_t i = 0; i < local.size(); ++i) {
    for (std::size_t j = i + 1; j < local.size(); ++j) found.push_back({cluster.index, local[i], local[j]});
  }
  if (local.size() == 1) {
    for (const Node& node : remote) found.push_back({cluster.index, local.front(), node});
  }
  std::ranges::stable_sort(found, {}, [&](const Pair& pair) {
    return std::tuple(pair.node.tier == pair.other.tier,
                      distance(machine, pair.node.os_index, pair.other.os_index).value_or(0));
  });
  return found;
}

}  // namespace

std::vector<Pair> pairs(const Machine& machine, int most) {
  std::vector<Pair> all;
  for (const Cluster& cluster : machine.clusters) {
    std::vector<Pair> found = pairs_of(machine, cluster);
    if (found.size() > static_cast<std::size_t>(most)) found.erase(found.begin() + most, found.end());
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

std::string no_pair(const Machine& machine) {
  if (usable_nodes(machine).size() < 2) return "one memory node: no second one to mix with";
  return pairs(machine, 1).empty() ? "no cluster has memory of its own" : "";
}

}  // namespace gable::bench
