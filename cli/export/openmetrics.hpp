#pragma once

// Figures of a recorded folder as OpenMetrics text, which Prometheus and the textfile collector of its node
// exporter read.

#include <string>

#include "cli/show/recorded.hpp"

namespace gable::cli {

/// A gauge for each kind of figure, in base units (bytes, seconds), with one more for each end of its
/// interval: gable_bandwidth_bytes_per_second, gable_bandwidth_low_bytes_per_second, ... Each question has
/// its best figure. Figures that are not ok are left out, and so are the ends of an interval that is not
/// known.
std::string openmetrics_of(const ShownFolder& shown);

}  // namespace gable::cli
