#include "bench/plan/pairs.hpp"

#include <map>
#include <tuple>

#include "base/sorting.hpp"
#include "bench/plan/patterns.hpp"
#include "machines/cores/places.hpp"

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
  sort_by(found, [&](const Pair& pair) {
    return std::tuple(
        pair.node.tier == pair.other.tier,
        machines::distance_between(machine, pair.node.os_index, pair.other.os_index).value_or(0));
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

std::vector<std::vector<Pair>> pairs_at_once(const Machine& machine, int most) {
  std::map<int, std::size_t> known;  // by cluster
  std::vector<std::vector<Pair>> at_once;
  for (const Pair& pair : pairs(machine, most)) {
    const Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(pair.cluster));
    if (!is_local_to(cluster, pair.other.os_index)) continue;
    const std::size_t nth = known[pair.cluster]++;
    if (nth == at_once.size()) at_once.emplace_back();
    at_once[nth].push_back(pair);
  }
  std::erase_if(at_once, [](const std::vector<Pair>& of_clusters) { return of_clusters.size() < 2; });
  return at_once;
}

model::Note no_pairs_at_once(const Machine& machine) {
  if (machine.clusters.size() < 2) return {model::NoteCode::one_cluster, {name_of(model::Pattern::hybrid)}};
  return pairs_at_once(machine, 1).empty() ? model::NoteCode::no_pairs_at_once : model::NoteCode::none;
}

model::Note no_pair(const Machine& machine) {
  if (usable_nodes(machine).size() < 2) return model::NoteCode::one_memory_node;
  return pairs(machine, 1).empty() ? model::NoteCode::no_own_memory : model::NoteCode::none;
}

}  // namespace gable::bench
