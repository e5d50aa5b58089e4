#pragma once

// Applications on the Locality-Aware Roofline chart: where their symbols and labels stand.

#include <string>
#include <vector>

#include "cli/plot_chart.hpp"
#include "model/binding.hpp"
#include "model/records.hpp"

namespace gable::cli {

struct PlacedPoint {
  std::string name;
  double flop_per_byte = 0, gflop_per_s = 0;
  double lo = 0, hi = 0;  ///< of gflop_per_s, from the interval of its seconds
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

/// For plots/larm-points.gp: `points`, and point_NAME_1, ... for each of x, y, lo, hi, name, label_x,
/// label_y, left (1: the label ends at label_x), hybrid.
void tell_points(Variables& variables, const std::vector<PlacedPoint>& points, const PointArea& area);

}  // namespace gable::cli
