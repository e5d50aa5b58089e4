#pragma once

// What a verdict says of other places for the data, by the same forecasts that `gable predict` prints.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/predict/forecast.hpp"

namespace gable::model {

/// The time with the data in another place.
struct PlacedForecast {
  std::string words;  ///< "its data on node 1 (HBM)"
  Forecast forecast;
};

/// A sentence: the place with which the Point is surely faster, or that with which it may be,
/// or that others gain little. Empty if no other place can be predicted, or if not even the roof of the
/// Point's present place tells anything.
std::string placement_advice(const Point& point, const Reading& reading,
                             const std::vector<PlacedForecast>& places);

}  // namespace gable::model
