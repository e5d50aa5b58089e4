#pragma once

// How a figure's interval is told, the same in tables and on charts.

#include <string>

#include "model/records.hpp"

namespace gable::cli {

/// "0.4": the distance to the further end of the interval, in percent of the value, rounded up to a tenth:
/// never flattered. Empty where there is no interval.
std::string interval_percent(const model::Roof& roof);

}  // namespace gable::cli
