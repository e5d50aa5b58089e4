#pragma once

// The figures of the memory benchmarks of tiers, as JSON.

#include <string>
#include <vector>

#include "model/tiers/tiers.hpp"

namespace gable::model {

/// {"schema":1,"figures":[...]}: each figure with its question, and value, lo and hi in `unit` (null if it is
/// not ok).
std::string tier_figures_to_json(const std::vector<TierFigure>& figures);

}  // namespace gable::model
