#pragma once

// Applications on the Locality-Aware Roofline chart: where their symbols and labels stand.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/records/records.hpp"
#include "plots/charts/chart.hpp"

namespace gable::cli {

struct PlacedPoint {
  std::string name;
  double flop_per_byte = 0, gflop_per_s = 0;
  double lo = 0, hi = 0;  ///< of gflop_per_s, from the interval of its seconds
  std::string from;       ///< the point that it comes from, which may be on another chart; empty: none
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

/// What of them is beyond the area.
struct EdgesOfPoints {
  bool any_outside, any_interval_cut;
};

/// For plots/gnuplot/larm-points.gp: `points`, and point_NAME_1, ... for each of x, y, lo, hi, name, label_x,
/// label_y, left (1: the label ends at label_x), arrow (1: one leads from the point that it comes from,
/// between the symbols: from_x, from_y, to_x, to_y), outside (1: the point lies beyond the area; an arrow
/// from out_x, out_y to x, y at its edge shows where, and the label has its figures), below and above (1: the
/// interval goes on beyond the area, at whose edge lo or hi stands). Where two points stand too near each
/// other for an arrow the label says it.
EdgesOfPoints tell_points(Variables& variables, const std::vector<PlacedPoint>& points,
                          const PointArea& area);

}  // namespace gable::cli
