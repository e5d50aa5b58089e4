#pragma once

// What `phased` would be with a term for the turns of each memory: an experiment, which no command uses.

#include <vector>

#include "model/hybrid.hpp"

namespace gable::model {

/// Held-out relative RMS, in percent, over ten folds of the mixed cells: of `phased`, and of `phased` with
/// c t_l t_s / (t_l + t_s) for the loads and stores of each memory in each phase, which is largest where both
/// take equally long. Two more parameters.
struct TurnErrors {
  double phased, with_turns;
};
TurnErrors errors_with_turns(const std::vector<Cell>& cells, const HybridFit& fit);

}  // namespace gable::model
