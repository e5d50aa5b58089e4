#pragma once

// The roofs on the Locality-Aware Roofline chart: lines, intervals, ridge points and validation.

#include <optional>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/larm/frame.hpp"

namespace gable::charts {

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

}  // namespace gable::charts
