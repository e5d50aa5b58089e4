#pragma once

// The levels of applications on the Locality-Aware Roofline chart: the intensity by the bytes of each cache
// and of the memory, and which of them binds.

#include <string>
#include <vector>

#include "plots/charts/larm/obstacles.hpp"
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

// They are drawn as dots on a thin line at the height of the application, with labels.

/// Adds the line through the levels, as far as it lies in the area, and rings at those that do not bind; L1
/// has the symbol of the point instead. An arrow at the edge stands for levels beyond it. Nothing without
/// levels.
void add_level_dots(Panel& panel, const PlacedPoint& point, const Style& style, const Box& area);

/// Adds a disc at the level that binds, in front of all symbols, or a circle around the symbol if that is L1;
/// nothing if no level in the area binds.
void add_binding_dot(Panel& panel, const PlacedPoint& point, const Style& style, const Box& area);

/// The places of the lines, which names must not cover.
std::vector<Box> level_lines(const Panel& panel, const std::vector<PlacedPoint>& points, const Box& area);

/// Adds the names of the levels above or below their dots, where they cover neither marks nor other labels;
/// where they can, off the lines of roofs and not over other dots of the point.
void add_level_labels(Chart& chart, const Panel& panel, const std::vector<PlacedPoint>& points,
                      const Box& area);

/// Whether a level behind L1 is beyond a side of the area, at a height inside it.
bool is_any_level_outside(const Panel& panel, const std::vector<PlacedPoint>& points, const Box& area);

}  // namespace gable::charts
