#pragma once

// Predicted times of a program, in a picture.

#include <optional>
#include <string>
#include <vector>

#include "model/predict/forecast.hpp"
#include "plots/charts/chart.hpp"

namespace gable::charts {

/// A time on a machine. The forecast must outlive this.
struct PredictedTime {
  std::string machine;
  const model::Forecast* forecast = nullptr;
};

/// A time that was measured.
struct MeasuredTime {
  std::string machine;
  double seconds = 0;
};

/// A lying bar for each machine with its 95 % interval, divided by what binds there; machines without a time
/// have their reason. A line marks the time that was measured `here`.
Chart predicted_times_chart(const std::string& program, const std::vector<PredictedTime>& times,
                            const std::optional<MeasuredTime>& here);

}  // namespace gable::charts
