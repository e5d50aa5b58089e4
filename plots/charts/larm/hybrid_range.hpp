#pragma once

// The range of roofs of data that is spread over two memories, on the Locality-Aware Roofline chart.

#include <string>

#include "plots/charts/chart.hpp"
#include "plots/charts/larm/drawn.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// Two memories that are local to the cluster span the roofs of an application that uses both (LARM paper,
/// section 6.2, figure 13), from x_from (flop/byte) to the peak, or to x_to without one: a gradient over the
/// share of the faster memory by the fitted mixes, a flat shade without them. Returns the text for the note;
/// empty without two such memories.
std::string add_hybrid_range(Panel& panel, const Recorded& recorded, const DrawnRoofs& drawn, double x_from,
                             double x_to);

}  // namespace gable::charts
