#pragma once

// An engine of a small machine, and literal samples for it.

#include <gtest/gtest.h>

#include <vector>

#include "kmaf/engine/engine.hpp"
#include "machines.hpp"

namespace gable::kmaf {

// Leaves and pus of the small machine: 0 1 | 2 3.
class EngineTest : public testing::Test {
 protected:
  explicit EngineTest(const Config& config = {}) : engine(config, hierarchy_of(test::small())) {}

  void access(Tasks::Id task, unsigned pu, std::uint64_t address, double seconds, int page_node = -1,
              std::uint64_t object = 0) {
    engine.sample({task, object, address, pu, seconds, page_node});
  }
  std::vector<MovePage> page_moves() { return take<MovePage>(); }
  std::vector<MoveTask> task_moves() { return take<MoveTask>(); }
  template <typename Kind>
  std::vector<Kind> take() {
    std::vector<Kind> kept;
    for (const Action& action : engine.take_actions()) {
      if (const Kind* found = std::get_if<Kind>(&action)) kept.push_back(*found);
    }
    return kept;
  }
  unsigned sent_to(Tasks::Id task, const std::vector<MoveTask>& moves) {
    for (const MoveTask& move : moves) {
      if (move.task == task) return move.pu;
    }
    return 99;
  }

  Engine engine;
};

}  // namespace gable::kmaf
