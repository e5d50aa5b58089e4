#pragma once

// The levels of applications on the Locality-Aware Roofline chart: the intensity by the bytes of each cache
// and of the memory, and which of them binds.

#include <string>
#include <vector>

#include "plots/charts/larm/points/points.hpp"

namespace gable::charts {

/// The levels of a point whose bytes by level are known, from L1, which has the bytes of its instructions, to
/// memory, by its flops or accesses (`amount`). Levels without bytes are left out, and hidden ones ("cg,
/// L2"). The reading is that of the point; it tells which level binds: none if that is undecided, or if it is
/// arithmetic or a chain of loads.
std::vector<PlacedLevel> placed_levels(const Recorded& recorded, const model::Point& point,
                                       const model::Reading& reading, double amount);

/// "DRAM", "DRAM+HBM": the tiers of the nodes that have the data of the point; where these are not known, the
/// tier of all nodes, or "memory" if there are several.
std::string memory_label(const model::Roofs& roofs, const model::Point& point);

/// "cg, L2"
std::string level_name(const std::string& point, const std::string& label);

/// Adds a row of kind "level" for each level of the point.
void add_rows_of_levels(Table& table, const PlacedPoint& point, int cluster);

/// Explains the dots on the note; empty if no point has levels.
std::string levels_note(const std::vector<PlacedPoint>& points);

}  // namespace gable::charts
