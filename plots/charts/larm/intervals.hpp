#pragma once

// How the intervals of bandwidths are drawn: as bands along the roofs or, if visible bands would overlap, as
// bars across the roofs, side by side. Peaks, which all have the same colour, have bands.

#include <optional>
#include <vector>

#include "model/records/records.hpp"
#include "plots/charts/larm/frame.hpp"

namespace gable::charts {

/// For each roof the base-2 logarithm of flop/byte of its bar; nothing for roofs with a band or without an
/// interval. Bars are ordered from left to right by descending values.
std::vector<std::optional<double>> bar_places(const std::vector<model::Roof>& roofs, const LarmFrame& frame);

}  // namespace gable::charts
