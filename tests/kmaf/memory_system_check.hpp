#pragma once

// Checks that the simulated caches are coherent and inclusive, and that the directories are right. Slow.

#include <string>

#include "kmaf/replay/machine/memory_system.hpp"

namespace gable::kmaf {

class MemorySystemCheck {
 public:
  explicit MemorySystemCheck(MemorySystem& memory) : memory_(memory) {}

  /// Describes a violation of coherence or inclusion; empty if there is none.
  std::string conflict();

 private:
  std::string conflict_of_cores(int l2);
  std::string conflict_of_l2(int l2);
  std::string conflict_of_directory(int node);
  std::string conflict_of_nodes();

  MemorySystem& memory_;
};

inline std::string conflict_in(MemorySystem& memory) {
  return MemorySystemCheck(memory).conflict();
}

}  // namespace gable::kmaf
