#pragma once

// How the intervals of bandwidths are drawn: as bands along the roofs, and where bands would overlap that are
// wide enough to be seen, as bars across them, one beside the other. Peaks, which are all of one colour, have
// bands.

#include <optional>
#include <vector>

#include "model/records/records.hpp"
#include "plots/charts/larm/frame.hpp"

namespace gable::charts {

/// Of each roof the base-2 logarithm of flop/byte at which its bar stands; nothing for those with a band and
/// those without an interval. Bars stand from left to right as the values descend.
std::vector<std::optional<double>> bar_places(const std::vector<model::Roof>& roofs, const LarmFrame& frame);

}  // namespace gable::charts
