#include "bench/plan/distance.hpp"

#include <algorithm>

namespace gable::bench {

std::optional<double> distance(const machines::Machine& machine, unsigned from, unsigned to) {
  const auto index = [&](unsigned node) {
    const auto found = std::ranges::find(machine.nodes, node, &machines::Node::os_index);
    return static_cast<std::size_t>(found - machine.nodes.begin());
  };
  const std::size_t row = index(from), column = index(to);
  if (row >= machine.distances.size() || column >= machine.distances[row].size()) return std::nullopt;
  return machine.distances[row][column];
}

}  // namespace gable::bench
