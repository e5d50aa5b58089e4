// Memory bound to a node, with a check of where it lies.

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "bench/buffers/buffer.hpp"
#include "bench/buffers/free_memory.hpp"
#include "bench/tiers/mechanisms.hpp"
#include "machines/cores/places.hpp"

namespace gable::bench {

namespace {

using machines::Machine;
using machines::Node;

class NodeRegion : public Region {
 public:
  NodeRegion(std::size_t bytes, unsigned node, bool only_node)
      : node_(node), only_node_(only_node), buffer_(bytes, {node}, model::huge_pages(), notes_) {
    bytes_ = {buffer_.data(), bytes};
    how_ = fmt::format("bound to node {}", node);
  }

  std::map<int, std::uint64_t> residence(std::size_t most_pages) const override {
    return buffer_.residence(bytes_.size(), most_pages);
  }

  model::Note misplaced(std::size_t most_pages) const override {
    const std::map<int, std::uint64_t> found = residence(most_pages);
    if (found.empty() && !only_node_) return model::NoteCode::pages_not_located;
    for (const auto& [node, bytes] : found) {
      if (node == static_cast<int>(node_)) continue;
      const double mib = static_cast<double>(bytes) / (1 << 20);
      if (node < 0) return {model::NoteCode::pages_not_in_memory, {mib}};
      return {model::NoteCode::pages_on_other_node, {mib, double(node), double(node_)}};
    }
    return {};
  }

 private:
  unsigned node_;
  bool only_node_;
  Buffer buffer_;
};

// Nearest first: local nodes, then by distance, then by number.
const Node* nearest_node(const Machine& machine, model::Tier tier, int cluster) {
  const Node* best = nullptr;
  double nearest_so_far = 0;
  const auto home = machine.clusters.at(static_cast<std::size_t>(cluster)).nodes;
  for (const Node& node : machine.nodes) {
    if (node.tier != tier || node.bytes == 0) continue;
    double away = std::numeric_limits<double>::max();
    if (is_among(home, node.os_index)) away = 0;
    for (const unsigned from : home)
      away = std::min(away, machines::distance_between(machine, from, node.os_index).value_or(away));
    if (best != nullptr && away >= nearest_so_far) continue;
    best = &node;
    nearest_so_far = away;
  }
  return best;
}

Tier tier_of(const std::string& name, const Node& node, bool only_node) {
  const unsigned index = node.os_index;
  const auto take = [index, only_node](std::size_t bytes) -> std::unique_ptr<Region> {
    return std::make_unique<NodeRegion>(bytes, index, only_node);
  };
  return {name, *node.tier.single(), index, [index] { return bench::free_bytes(index); }, take};
}

}  // namespace

std::optional<Tier> find_node_tier(const std::string& name, const Machine& machine, int cluster) {
  constexpr std::string_view prefix = "node:";
  if (name.starts_with(prefix)) {
    const auto index = read_as<unsigned>(std::string_view(name).substr(prefix.size()));
    const auto node = std::ranges::find(machine.nodes, index.value_or(0), &Node::os_index);
    if (!index || node == machine.nodes.end())
      throw Error::unavailable(fmt::format("no memory node '{}'; 'gable machine' shows the nodes", name));
    return tier_of(name, *node, machine.nodes.size() == 1);
  }
  const auto tier = model::named<model::Tier>(name);
  if (!tier || !row_of(*tier).of_nodes) return std::nullopt;
  const Node* node = nearest_node(machine, *tier, cluster);
  if (node != nullptr) return tier_of(name, *node, machine.nodes.size() == 1);
  throw Error::unavailable(fmt::format("this machine has no {} node; 'gable machine' shows its nodes", name));
}

}  // namespace gable::bench
