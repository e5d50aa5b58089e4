#pragma once

// Everything that a program may need where it was timed and where it would run: not all roofs and not all
// shares of caches are known.

#include <string>
#include <vector>

#include "model/predict/estimated.hpp"
#include "model/predict/forecast.hpp"

namespace gable::model {

/// What the program needs there, and here; of the core only what both places have roofs for. Without a time
/// here there is nothing before.
struct NeedsPair {
  std::vector<PartNeeds> before, after;
  double core_before = 0, core_after = 0;  ///< the core's time by all needs
  Estimated roofs = Estimated::middle;     ///< those of the place after
};

struct PossibleNeeds {
  std::vector<NeedsPair> pairs;      ///< the most likely one first
  std::vector<std::string> missing;  ///< there
  std::string refusal;               ///< why there are none; empty: there are
};

/// Roofs that were estimated on one machine for both places are the same in both.
PossibleNeeds possible_needs(const Program& program, const Setting& there, const Setting* here);

}  // namespace gable::model
