#pragma once

// Many applications on the Locality-Aware Roofline chart: numbers beside the symbols, and their names in the
// legend.

#include <cstddef>
#include <vector>

#include "plots/charts/larm/points/points.hpp"

namespace gable::charts {

inline constexpr std::size_t most_names = 12;  ///< of points beside their symbols

/// Numbers the points in their order if there are more than `most_names`.
void number_if_many(std::vector<PlacedPoint>& points);

/// Entries of the points that have numbers: "7 stencil", with the symbol.
std::vector<LegendEntry> legend_of(const std::vector<PlacedPoint>& points);

}  // namespace gable::charts
