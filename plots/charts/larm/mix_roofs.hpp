#pragma once

// The roofs of applications whose data lies in several memories (LARM paper, section 6.2), on the
// Locality-Aware Roofline chart.

#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// The roofs of mixes of memories that bind points on this cluster's chart, each once. A fitted roof has the
/// pattern "hybrid" and the point's name as its operation. Other mixes have the pattern "mix" and the name
/// of the roof as their operation; see is_between_bounds.
std::vector<model::Roof> mix_roofs(const Recorded& recorded, int cluster);

/// Whether lo and hi of the roof are no interval but bounds: without overlap of the transfers from the
/// memories, and with full overlap, which is also its value.
bool is_between_bounds(const model::Roof& roof);

/// The others of them, whose lo and hi are intervals.
std::vector<model::Roof> without_bounds(std::vector<model::Roof> roofs);

/// Details of such a roof in addition to its name.
std::string bounds_detail(const model::Roof& roof);

/// Explains on the note how roofs between bounds are drawn; empty if there is none.
std::string bounds_note(const std::vector<model::Roof>& roofs);

/// Two memories that are local to the cluster span the roofs of an application that uses both (LARM paper,
/// section 6.2, figure 13), from x_from (flop/byte) to the peak, or to x_to without one: a gradient over the
/// share of the faster memory by the fitted mixes, a flat shade without them. Returns the text for the note;
/// empty without two such memories.
std::string add_hybrid_range(Panel& panel, const Recorded& recorded, const DrawnRoofs& drawn, double x_from,
                             double x_to);

}  // namespace gable::charts
