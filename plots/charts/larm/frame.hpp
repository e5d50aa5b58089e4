#pragma once

// The axes of the Locality-Aware Roofline chart, in data coordinates, and what it draws: roofs and their
// lines.

#include <cmath>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// The axes, as base-2 logarithms of flop/byte and GFlop/s. Roofs are drawn in [x_from, x_to]; left of it
/// stand the labels of the bandwidths.
struct LarmFrame {
  Rectangle area;           ///< of the axes, label column included
  double roof_width = 720;  ///< of the part that has the roofs, in points
  double x_from = 0, x_to = 0, y_from = 0, y_to = 0;
  double x_first = 0;  ///< of the axis, label column included
};

/// What the labels need, in points of the picture.
struct LabelRoom {
  double left_column = 0;  ///< width of the column of the bandwidths' labels
  double peaks = 0;        ///< width that peaks' labels get; they stand above the peaks' right ends
  bool column = false;     ///< a paper's column
};

/// Axes that show every ridge point and what is in `points`, with room on all sides, powers of two at both
/// ends. Points widen each side by at most a decade, so that they do not squeeze the roofs into a corner;
/// points beyond are shown at the edge (points.hpp). `bandwidth` in GB/s, `peak` in GFlop/s (most 0: none is
/// known).
LarmFrame frame_of(const Extremes& bandwidth, const Extremes& peak, const LabelRoom& room,
                   const std::vector<PlacedPoint>& points);

/// The axes of this quantity with their ticks; no grid behind the labels.
Panel larm_panel(const LarmFrame& frame, const Quantity& quantity = flops_quantity);

/// The ends of a roof in a chart, as base-2 logarithms.
struct Line {
  double x_from, y_from, x_to, y_to;

  Datum from() const { return {std::exp2(x_from), std::exp2(y_from)}; }
  Datum to() const { return {std::exp2(x_to), std::exp2(y_to)}; }
};

/// An ok roof: a bandwidth up to the highest peak, or a peak from the highest bandwidth on.
Line line_of(const model::Roof& roof, const LarmFrame& frame, const Extremes& bandwidth,
             const Extremes& peak);

/// The part of the page in which points and their names may stand.
Box area_of(const LarmFrame& frame);

/// The roofs of flops; or those of accesses, where rates of random loads are bandwidths, in lines.
enum class RoofKinds { bandwidths_and_peaks, bandwidths_and_random_loads };

/// What is drawn of one machine, and what follows from it for the axes.
struct DrawnRoofs {
  std::string machine;               ///< that is drawn over the chart's own; empty: the chart's own
  std::vector<model::Roof> roofs;    ///< bandwidths by value, then peaks
  std::vector<model::Roof> oblique;  ///< the ok bandwidths
  Extremes bandwidth, peak;
  double ridge_peak = 0;  ///< GFlop/s: in double precision where it was measured; 0: no peak is known
  int missing = 0;        ///< roofs that are skipped or invalid

  /// How a roof is drawn: those of another machine all in one grey, dashed.
  Style style_of(const model::Roof& roof) const;
  /// "DRAM node 0, local"; of another machine "joe0: DRAM node 0, local".
  std::string name_of(const model::Roof& roof) const;
};

/// The roofs of the recorded machine's cluster, with those of applications whose data lies in several
/// memories.
DrawnRoofs drawn_roofs(const Recorded& recorded, int cluster,
                       RoofKinds kinds = RoofKinds::bandwidths_and_peaks);

/// Those of the overlay, of the cluster of the same number or, where it has none, of its first.
DrawnRoofs overlaid_roofs(const Recorded& recorded, int cluster,
                          RoofKinds kinds = RoofKinds::bandwidths_and_peaks);

/// What a roofline chart shows under the roofs of a cluster: points, functions, or accesses.
struct RooflineView {
  std::string name, subject;  ///< of the chart
  std::string note;           ///< what it adds to the note
  Quantity quantity = flops_quantity;
  bool with_validation = false;
  ClusterPoints points = {};
  std::vector<std::string> columns = {};  ///< of the table, in addition
};

/// The chart. Accesses are drawn without peaks, and with the rates of random loads as bandwidths.
Chart roofline(const Recorded& recorded, int cluster, RooflineView view);

}  // namespace gable::charts
