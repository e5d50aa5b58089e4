#pragma once

// The table of colors, dashes and symbols of all charts. The colors are those of Okabe and Ito, darkened for
// texts: they are distinguishable with any colour vision, and in grey by their dashes or symbols.

#include <cstddef>
#include <string>

#include "model/records/records.hpp"
#include "plots/charts/chart.hpp"

namespace gable::charts {

inline constexpr Colour ink = 0x222222, soft_ink = 0x555555, shade_ink = 0xdcdcdc;
inline constexpr Colour darkest_cell = 0x084081;  ///< of a heat map, whose cells begin at white
inline constexpr Colour interleave_ink = 0x5d3fb3, application_ink = 0xa8437f;

/// A roof: colour and dash by cache level or pattern, width by tier; dash of a peak by operation and
/// precision.
Style roof_style(const model::Case& spec);

/// The roofs of another machine on a roofline chart.
Style overlay_style();

/// Line or bar number `index` of a chart with several; the ninth has the style of the first.
Style series_style(std::size_t index);

/// An application on a roofline chart, in colors that no roof uses; open and dashed if simulated.
Style point_style(std::size_t index, bool simulated = false);

/// Fill number `index` of bars beside each other: solid, hatched, pale, or hatched the other way.
Style filled(Style style, std::size_t index);

/// The bars of policy `name`, number `index` of a replay: kMAF black, the oracle grey.
Style policy_style(const std::string& name, std::size_t index);

/// A law of the hybrid model: the best one is the widest line; `rank` numbers the others from 0.
Style law_style(bool is_best, std::size_t rank);

/// A mix of two colours: 0 is `from`.
Colour mixed(Colour from, Colour to, double share);

}  // namespace gable::charts
