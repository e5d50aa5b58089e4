#pragma once

// The roofs on the Locality-Aware Roofline chart: lines, intervals, ridge points and validation.

#include <optional>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/roofs/validation.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/table.hpp"

namespace gable::charts {

/// The intervals of bandwidths are drawn as bands along the roofs or, if visible bands would overlap, as bars
/// across the roofs, side by side; peaks, which all have the same colour, have bands. For each roof the
/// base-2 logarithm of flop/byte of its bar; nothing for roofs with a band or without an interval. Bars are
/// ordered from left to right by descending values.
std::vector<std::optional<double>> bar_places(const std::vector<model::Roof>& roofs, const LarmFrame& frame);

/// The line of each roof; empty for roofs that are not ok.
std::vector<Line> lines_of(const std::vector<model::Roof>& roofs, const LarmFrame& frame,
                           const Extremes& bandwidth, const Extremes& peak);

/// Bounds of mixes as pale bands with a lower line, and intervals as bands, where `bars` (bar_places) has no
/// bar. A band ends at the peak as its roof does.
void add_bands(Panel& panel, const std::vector<model::Roof>& roofs, const std::vector<Line>& lines,
               const std::vector<std::optional<double>>& bars, bool has_peaks);

/// The roofs, and intervals as bars.
void add_roofs(Panel& panel, const std::vector<model::Roof>& roofs, const std::vector<Line>& lines,
               const std::vector<std::optional<double>>& bars);

/// The points where bandwidths meet the peak (GFlop/s); none if it is 0.
void add_ridges(Panel& panel, const std::vector<model::Roof>& roofs, double peak);

/// The validation points that are ok, and thin lines through those of each roof.
void add_validation(Panel& panel, const std::vector<model::Roof>& points);

/// "Bands", "Bars", "Bands and bars": how the intervals are drawn.
std::string bands_text(const std::vector<model::Roof>& roofs, const std::vector<std::optional<double>>& bars);

/// Whether a bar extends beyond the axes.
bool any_bar_cut(const std::vector<model::Roof>& roofs, const std::vector<std::optional<double>>& bars,
                 const LarmFrame& frame);

// How closely programs reach the roofs (LARM paper, figure 4).

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
