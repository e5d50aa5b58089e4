#pragma once

// What a visit measured.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// One value per repetition, in the Case's unit.
std::vector<double> repetitions_of(const Sample& sample);

/// The quantile of a visit's repetitions that is its figure. The roof of a cluster alone is the reachable
/// rate, which one repetition in ten exceeds. Other processes only slow repetitions down, and with a median,
/// applications would be above the roof half of the time. If clusters run together, one is fast while another
/// is slow, so the roof is the median. Latencies are medians too.
double quantile_of(const Case& spec);

/// This figure, of a visit with repetitions.
double visit_figure(const Sample& visit);

}  // namespace gable::model
