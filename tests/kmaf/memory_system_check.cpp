#include "memory_system_check.hpp"

namespace gable::kmaf {

std::string MemorySystemCheck::conflict_of_cores(int l2) {
  for (const int core : memory_.cores_of_l2_[index(l2)]) {
    for (const Cache::Entry& entry : memory_.l1_[index(core)].entries()) {
      if (entry.empty()) continue;
      const Cache::Entry* const below = memory_.l2_[index(l2)].peek(entry.line());
      if (below == nullptr) return "a line is in L1 and not in L2";
      if (entry.state() != LineState::shared && entry.state() != below->state())
        return "L1 and L2 differ in a line's state";
      if (entry.state() == LineState::shared && below->state() != LineState::shared &&
          memory_.machine_.cores_of_l2 == 1)
        return "L1 and L2 differ in a line's state";
      if (entry.state() == LineState::shared) continue;
      for (const int other : memory_.cores_of_l2_[index(l2)]) {
        if (other != core && memory_.l1_[index(other)].peek(entry.line()) != nullptr)
          return "a line is exclusive to one core of an L2 and another has it";
      }
    }
  }
  return {};
}

std::string MemorySystemCheck::conflict_of_l2(int l2) {
  const int number = memory_.number_of_l2_[index(l2)];
  for (const Cache::Entry& entry : memory_.l2_[index(l2)].entries()) {
    if (entry.empty()) continue;
    const Cache::Entry* const below = memory_.directory(memory_.node_of_l2_[index(l2)]).peek(entry.line());
    if (below == nullptr) return "a line is in L2 and not in the directory";
    if ((below->word & bit_of(number)) == 0) return "the directory does not record that an L2 has a line";
    if (entry.state() != LineState::shared && owner_of(*below) != number)
      return "a core may write a line that its L2 does not own";
    if (entry.state() == LineState::modified && below->state() != LineState::modified)
      return "a core modified a line and the directory does not record it";
  }
  return {};
}

// Without an L3, the directory has exactly the lines of the L2 caches.
std::string MemorySystemCheck::conflict_of_directory(int node) {
  if (memory_.machine_.has_l3) return {};
  for (const Cache::Entry& entry : memory_.directory(node).entries()) {
    if (entry.empty()) continue;
    std::uint64_t having = 0;
    for (const int l2 : memory_.l2_of_node_[index(node)]) {
      if (memory_.l2_[index(l2)].peek(entry.line()) != nullptr)
        having |= bit_of(memory_.number_of_l2_[index(l2)]);
    }
    if (having == 0) return "a line is in the directory and in no L2";
    if ((entry.word & l2_mask) != having) return "the directory records an L2 that does not have a line";
    if (entry.state() == LineState::modified && owner_of(entry) < 0)
      return "a line is modified and no L2 owns it";
  }
  return {};
}

std::string MemorySystemCheck::conflict_of_nodes() {
  for (int node = 0; node < memory_.nodes_; ++node) {
    for (const Cache::Entry& entry : memory_.directory(node).entries()) {
      if (entry.empty() || entry.state() == LineState::shared) continue;
      for (int other = 0; other < memory_.nodes_; ++other) {
        if (other != node && memory_.directory(other).peek(entry.line()) != nullptr)
          return "a line is exclusive to one node and another has it";
      }
    }
  }
  return {};
}

std::string MemorySystemCheck::conflict() {
  for (int l2 = 0; l2 < static_cast<int>(memory_.l2_.size()); ++l2) {
    if (std::string found = conflict_of_cores(l2); !found.empty()) return found;
    if (std::string found = conflict_of_l2(l2); !found.empty()) return found;
  }
  for (int node = 0; node < memory_.nodes_; ++node) {
    if (std::string found = conflict_of_directory(node); !found.empty()) return found;
  }
  return conflict_of_nodes();
}

}  // namespace gable::kmaf
