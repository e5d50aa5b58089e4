#pragma once

// The parts of a predicted time: by what binds the functions, and by function.

#include <vector>

#include "model/predict/calibration.hpp"
#include "model/predict/forecast.hpp"

namespace gable::model {

struct ForecastShares {
  std::vector<Forecast::Share> binds, functions;  ///< the largest first; the sum of each is the time
};

/// Of `seconds`, for what each function needs.
ForecastShares parts_of_time(const std::vector<PartNeeds>& parts, double seconds);

/// The same with a time that was measured here. `core` is the core's time there, as a part of that here.
ForecastShares parts_of_time(const std::vector<PartNeeds>& parts, double seconds,
                             const Calibration& calibration, double core);

}  // namespace gable::model
