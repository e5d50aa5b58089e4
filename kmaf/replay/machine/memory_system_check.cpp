// Checks that the simulated caches are coherent and inclusive, for tests.

#include "kmaf/replay/machine/directory.hpp"
#include "kmaf/replay/machine/memory_system.hpp"

namespace gable::kmaf {

std::string MemorySystem::conflict_of_cores() {
  for (int core = 0; core < machine_.cores; ++core) {
    Private& caches = private_[static_cast<std::size_t>(core)];
    for (const Cache::Entry& entry : caches.l1.entries()) {
      if (entry.empty()) continue;
      const Cache::Entry* const below = caches.l2.peek(entry.line());
      if (below == nullptr) return "a line is in L1 and not in L2";
      if (below->state() != entry.state()) return "L1 and L2 differ in a line's state";
    }
    for (const Cache::Entry& entry : caches.l2.entries()) {
      if (entry.empty()) continue;
      const int node = node_of_core_[static_cast<std::size_t>(core)];
      const int number = number_of_core_[static_cast<std::size_t>(core)];
      const Cache::Entry* const below = l3_[static_cast<std::size_t>(node)].peek(entry.line());
      if (below == nullptr) return "a line is in L2 and not in L3";
      if ((below->word & bit_of(number)) == 0) return "the L3 does not record that a core has a line";
      if (entry.state() != LineState::shared && owner_of(*below) != number)
        return "a core may write a line that it does not own";
      if (entry.state() == LineState::modified && below->state() != LineState::modified)
        return "a core modified a line and the L3 does not record it";
    }
  }
  return {};
}

std::string MemorySystem::conflict_of_nodes() {
  for (int node = 0; node < nodes_; ++node) {
    for (const Cache::Entry& entry : l3_[static_cast<std::size_t>(node)].entries()) {
      if (entry.empty() || entry.state() == LineState::shared) continue;
      for (int other = 0; other < nodes_; ++other) {
        if (other != node && l3_[static_cast<std::size_t>(other)].peek(entry.line()) != nullptr)
          return "a line is exclusive to one node and another has it";
      }
    }
  }
  return {};
}

std::string MemorySystem::conflict() {
  const std::string found = conflict_of_cores();
  return found.empty() ? conflict_of_nodes() : found;
}

}  // namespace gable::kmaf
