#pragma once

// How closely programs reach the roofs of the Locality-Aware Roofline chart (LARM paper, figure 4).

#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/roofs/validation.hpp"
#include "plots/charts/larm/points.hpp"
#include "plots/charts/table.hpp"

namespace gable::charts {

/// The validation of this ok roof, for the same memory, operation and threads; nullptr if there is
/// none.
const model::Validation* validation_of(const std::vector<model::Validation>& validations,
                                       const model::Roof& roof);

/// ", error 1.2 % (0.30 %)": the relative RMS of the validation points to their roof and, in brackets, the
/// LARM paper's formula (footnote 5); ranges over roofs that share a label, with the number of validated
/// ones if not all were; empty if none was.
std::string error_text(const std::vector<model::Validation>& validations,
                       const std::vector<const model::Roof*>& roofs);

/// All points under these roofs, ok or not, roof by roof.
std::vector<model::Roof> validation_points(const std::vector<model::Validation>& validations,
                                           const std::vector<model::Roof>& roofs);

/// The positions of the ok ones, without names and intervals, which would be too small.
std::vector<PlacedPoint> places_of(const std::vector<model::Roof>& points);

/// As rows of kind "validation": the columns of roofs.json, value in GFlop/s, and flop_per_byte.
void add_validation_rows(Table& table, const std::vector<model::Roof>& points);

}  // namespace gable::charts
