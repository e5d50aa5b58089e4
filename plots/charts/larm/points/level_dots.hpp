#pragma once

// How the levels of applications are drawn on the Locality-Aware Roofline chart: dots on a thin line at the
// height of the application, and their labels.

#include <vector>

#include "plots/charts/larm/obstacles.hpp"
#include "plots/charts/larm/points/points.hpp"

namespace gable::charts {

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
