#pragma once

// What the parts of a machine (levels, memories, arithmetic, ...) contribute to a predicted time.

#include <string>
#include <vector>

#include "model/predict/forecast.hpp"

namespace gable::model {

struct MachinePart {
  std::string what;       ///< "L2", "local memory", "arithmetic"; not_explained, in_kernel
  bool is_level = false;  ///< a cache or a memory
  /// The time that it needs by itself for the whole program, at the values of the roofs, and its range by
  /// their intervals and by how many loads may wait at once; 0: it is no need.
  double seconds = 0, lo = 0, hi = 0;
  double binds = 0;      ///< seconds of the functions that need it most; their sum is the predicted time
  std::string function;  ///< that needs it for longest
};

/// The parts of the machine, those that bind for longest first, and among others those that are needed for
/// longest. They have the same names and figures as `binds` and `parts` of the forecast.
std::vector<MachinePart> machine_parts(const Forecast& forecast);

}  // namespace gable::model
