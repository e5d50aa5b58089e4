#pragma once

// How closely programs reach the roofs of the Locality-Aware Roofline chart (LARM paper, figure 4).

#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/roofs/validation.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/table.hpp"

namespace gable::charts {

/// The validation of this ok roof, for the same memory, operation and threads; nullptr if there is
/// none.
const model::Validation* validation_of(const std::vector<model::Validation>& validations,
                                       const model::Roof& roof);

/// "1.2 to 3.1 % (RMS) off their roofs": the relative distances of the validation points to these roofs, from
/// the least to the greatest; empty where none was validated.
std::string error_text(const std::vector<model::Validation>& validations,
                       const std::vector<model::Roof>& roofs);

/// All points under these roofs, ok or not, roof by roof.
std::vector<model::Roof> validation_points(const std::vector<model::Validation>& validations,
                                           const std::vector<model::Roof>& roofs);

/// The positions of the ok ones, without names and intervals, which would be too small.
std::vector<PlacedPoint> places_of(const std::vector<model::Roof>& points);

/// Returns rows of kind "validation" with the columns of roofs.json, value in GFlop/s, and flop_per_byte.
void add_validation_rows(Table& table, const std::vector<model::Roof>& points);

}  // namespace gable::charts
