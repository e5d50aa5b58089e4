#pragma once

// Applications on the Locality-Aware Roofline chart: the positions of their symbols and labels.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/records/records.hpp"
#include "plots/charts/larm/point_labels.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

struct PlacedPoint {
  std::string name;
  double flop_per_byte = 0, gflop_per_s = 0;
  double lo = 0, hi = 0;    ///< of gflop_per_s, from the interval of its seconds
  std::string from = {};    ///< the point that it is derived from, possibly on another chart; empty: none
  std::string detail = {};  ///< its figures, what binds it, its headroom and why, in words
  bool simulated = false;
};

/// Whether point number `i` belongs on the chart of this cluster; a point of all clusters is on every chart.
bool is_on_chart(const Recorded& recorded, std::size_t i, int cluster);

/// The reading of that point under the roofs of this cluster.
model::Reading reading_on(const Recorded& recorded, std::size_t i, int cluster);

/// The points of this cluster that can be drawn; a point of all clusters counts with its even share. Also
/// counts the others: a point without flops or without bytes has no position on logarithmic axes.
struct ClusterPoints {
  std::vector<PlacedPoint> drawn;
  int without_place = 0;
};
ClusterPoints points_of_cluster(const Recorded& recorded, int cluster);

/// The part of the axes where points may be placed, as base-2 logarithms, and the length of an octave.
struct PointArea {
  double x_from, x_to, y_from, y_to;
  double x_points, y_points;  ///< per octave, in points of the picture
};

/// The positions of the points and of their names in the area. If two points are too close for an arrow, the
/// label names the point of origin.
std::vector<PointLabel> label_points(const std::vector<PlacedPoint>& points, const PointArea& area);

/// The parts of them beyond the area.
struct EdgesOfPoints {
  bool any_outside, any_interval_cut;
};

/// Adds symbols, intervals, names and arrows to the chart's panel. A point beyond the area becomes an arrow
/// at its edge that shows its direction; its label has the figures.
EdgesOfPoints add_points(Chart& chart, Panel& panel, const std::vector<PlacedPoint>& points,
                         const PointArea& area);

}  // namespace gable::charts
