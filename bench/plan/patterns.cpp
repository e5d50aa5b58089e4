#include "bench/plan/patterns.hpp"

#include <algorithm>
#include <set>

#include "base/lists.hpp"

namespace gable::bench {

namespace {

using machines::Cluster;
using machines::Machine;
using machines::Node;

std::set<model::Tiers> tiers(const Machine& machine) {
  std::set<model::Tiers> found;
  for (const Node& node : usable_nodes(machine)) found.insert(node.tier);
  return found;
}

std::vector<Target> each_pair(const Machine& machine, bool local) {
  std::vector<Target> targets;
  for (const Cluster& cluster : machine.clusters) {
    for (const Node& node : usable_nodes(machine)) {
      if (is_local_to(cluster, node.os_index) != local) continue;
      targets.push_back({{{cluster.index, {node.os_index}}}, static_cast<int>(node.os_index), node.tier, {}});
    }
  }
  return targets;
}

std::vector<Target> skipped(model::Tiers tier, const model::Note& reason) {
  return {{{{0, {}}}, -1, tier, reason}};
}

std::vector<Target> local(const Machine& machine) {
  return each_pair(machine, true);
}

std::vector<Target> remote(const Machine& machine) {
  auto targets = each_pair(machine, false);
  if (targets.empty()) return skipped({}, model::NoteCode::all_local);
  return targets;
}

// Each cluster uses its nth local node of the tier; clusters with fewer nodes do not take part.
Target nth_local(const Machine& machine, model::Tiers tier, std::size_t n) {
  Target target{{}, -1, tier, {}};
  for (const Cluster& cluster : machine.clusters) {
    std::vector<unsigned> nodes;
    for (const Node& node : usable_nodes(machine)) {
      if (node.tier == tier && is_local_to(cluster, node.os_index)) nodes.push_back(node.os_index);
    }
    if (n < nodes.size()) target.shares.push_back({cluster.index, {nodes[n]}});
  }
  return target;
}

std::vector<Target> local_all(const Machine& machine) {
  if (machine.clusters.size() < 2)
    return skipped({}, {model::NoteCode::one_cluster, {name_of(model::Pattern::local)}});
  std::vector<Target> targets;
  for (const model::Tiers tier : tiers(machine)) {
    Target target = nth_local(machine, tier, 0);
    if (target.shares.size() < 2) {
      targets.push_back(skipped(tier, model::NoteCode::one_cluster_of_tier).front());
    }
    for (std::size_t n = 1; target.shares.size() > 1; target = nth_local(machine, tier, n++)) {
      const auto on_first = [&](const Share& share) { return share.nodes == target.shares.front().nodes; };
      if (std::ranges::all_of(target.shares, on_first))  // clusters of different cores
        target.skip = model::NoteCode::shared_node;
      targets.push_back(target);
    }
  }
  return targets;
}

std::vector<Target> contended(const Machine& machine) {
  if (machine.clusters.size() < 2)
    return skipped({}, {model::NoteCode::one_cluster, {name_of(model::Pattern::local)}});
  std::vector<Target> targets;
  for (const Node& node : usable_nodes(machine)) {
    Target target{{}, static_cast<int>(node.os_index), node.tier, {}};
    for (const Cluster& cluster : machine.clusters) target.shares.push_back({cluster.index, {node.os_index}});
    targets.push_back(target);
  }
  return targets;
}

// The target is what `numactl --interleave=all` gives.
Target congested_everywhere(const Machine& machine) {
  Target target{{}, -1, {}, {}};
  for (const model::Tiers tier : tiers(machine)) target.tier.add(*tier.single());
  const std::vector<unsigned> nodes = each_of(usable_nodes(machine), &Node::os_index);
  for (const Cluster& cluster : machine.clusters) target.shares.push_back({cluster.index, nodes});
  return target;
}

std::vector<Target> congested(const Machine& machine) {
  std::vector<Target> targets;
  for (const model::Tiers tier : tiers(machine)) {
    std::vector<unsigned> nodes;
    for (const Node& node : usable_nodes(machine)) {
      if (node.tier == tier) nodes.push_back(node.os_index);
    }
    if (nodes.size() < 2) {
      targets.push_back(skipped(tier, model::NoteCode::one_node_of_tier).front());
      continue;
    }
    Target target{{}, -1, tier, {}};
    for (const Cluster& cluster : machine.clusters) target.shares.push_back({cluster.index, nodes});
    targets.push_back(target);
  }
  if (tiers(machine).size() > 1) targets.push_back(congested_everywhere(machine));
  return targets;
}

constexpr MemoryPattern pattern_table[] = {
    {model::Pattern::local, local},          // a cluster alone, its data on a local node
    {model::Pattern::remote, remote},        // a cluster alone, its data on a node that is not local to it
    {model::Pattern::local_all, local_all},  // all clusters at once, each with its data on its own local node
    {model::Pattern::contended, contended},  // all clusters at once, all data on one node
    {model::Pattern::congested,
     congested},  // all at once, data interleaved over all nodes of a tier, and of all tiers
};

}  // namespace

bool is_local_to(const Cluster& cluster, unsigned node) {
  return is_among(cluster.nodes, node);
}

std::vector<Node> usable_nodes(const Machine& machine) {
  return those(machine.nodes, [](const Node& node) { return node.bytes > 0 || !node.local_to.empty(); });
}

std::span<const MemoryPattern> memory_patterns() {
  return pattern_table;
}

}  // namespace gable::bench
