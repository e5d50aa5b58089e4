#pragma once

// Applications on the Locality-Aware Roofline chart: where their symbols and labels stand.

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
  std::string from = {};    ///< the point that it comes from, which may be on another chart; empty: none
  std::string detail = {};  ///< what binds it, in words
};

/// The points of this cluster that can be drawn, a point of all clusters with its even share; how many
/// cannot, since logarithmic axes have no place for a point without flops or without bytes.
struct ClusterPoints {
  std::vector<PlacedPoint> drawn;
  int without_place = 0;
};
ClusterPoints points_of_cluster(const Recorded& recorded, int cluster);

/// The part of the axes in which points may stand, as base-2 logarithms, and what an octave takes there.
struct PointArea {
  double x_from, x_to, y_from, y_to;
  double x_points, y_points;  ///< per octave, in points of the picture
};

/// Where the points stand in the area and where their names do. Where two points stand too near each other
/// for an arrow, the label says where the point comes from.
std::vector<PointLabel> label_points(const std::vector<PlacedPoint>& points, const PointArea& area);

/// What of them is beyond the area.
struct EdgesOfPoints {
  bool any_outside, any_interval_cut;
};

/// Adds symbols, intervals, names and arrows to the chart's panel. A point beyond the area is an arrow at its
/// edge that shows where it lies; its label has the figures.
EdgesOfPoints add_points(Chart& chart, Panel& panel, const std::vector<PlacedPoint>& points,
                         const PointArea& area);

}  // namespace gable::charts
