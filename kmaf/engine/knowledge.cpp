#include "kmaf/engine/knowledge.hpp"

#include <algorithm>
#include <limits>

namespace gable::kmaf {

Mapping leaves_of(const Knowledge& knowledge, const Hierarchy& hierarchy) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const int tasks = static_cast<int>(knowledge.tasks.size());
  AffinityMatrix matrix(tasks);
  for (const KnownSharing& pair : knowledge.sharing)
    matrix.add(pair.one, pair.other, static_cast<std::uint32_t>(std::min(pair.events, most)));
  return best_mapping(matrix, tasks, hierarchy);
}

std::vector<int> homes_of(const Knowledge& knowledge, const Mapping& leaves, const Hierarchy& hierarchy) {
  std::vector<int> homes;
  std::vector<std::uint64_t> accesses(hierarchy.nodes.size());
  for (const KnownPage& page : knowledge.pages) {
    std::fill(accesses.begin(), accesses.end(), 0);
    const auto node_of = [&](const TaskUse& use) {
      const int leaf = leaves[static_cast<std::size_t>(use.task)];
      return static_cast<std::size_t>(hierarchy.leaves[static_cast<std::size_t>(leaf)].node);
    };
    for (const TaskUse& use : page.uses) accesses[node_of(use)] += use.accesses;
    std::size_t home = node_of(page.uses.back());
    for (std::size_t node = 0; node < accesses.size(); ++node) {
      if (accesses[node] > accesses[home]) home = node;
    }
    homes.push_back(static_cast<int>(home));
  }
  return homes;
}

}  // namespace gable::kmaf
