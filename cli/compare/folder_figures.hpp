#pragma once

// The figures of a folder in the form in which they are compared.

#include <vector>

#include "cli/compare/places.hpp"
#include "model/compare/figure.hpp"

namespace gable::cli {

/// Roofs (bandwidth, peaks, latency, loaded latency, ladder), hybrid parameters, placements and tiers.
std::vector<model::Figure> figures_of(const Side& side, const Places& places);

}  // namespace gable::cli
