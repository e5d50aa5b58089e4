#pragma once

// Applications on the Locality-Aware Roofline chart: the positions of their symbols and labels.

#include <cstddef>
#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "plots/charts/larm/obstacles.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// Where a point stands by the bytes of one level.
struct PlacedLevel {
  model::Level level;
  std::string label;  ///< "L1", "L3", "DRAM"; "memory" if the tier is not known
  double flop_per_byte = 0;
  bool binds = false;  ///< its bandwidth, or waiting for it, binds the point
};

/// What the roofline chart counts: floating-point operations, or accesses of programs that have none.
struct Quantity {
  const char* rate;      ///< unit of the y axis
  const char* per_byte;  ///< of the x axis
  const char* column;    ///< of the table: the place on the x axis
  const char *x_title, *x_unit;
  const char *y_title, *y_unit;
};
inline constexpr Quantity flops_quantity = {
    "GFlop/s", "flop/byte", "flop_per_byte", "arithmetic intensity", "flop/byte", "performance", "GFlop/s"};
inline constexpr Quantity accesses_quantity = {
    "G/s", "access/byte", "access_per_byte", "accesses per byte of a level", "", "accesses", "10⁹/s"};

struct PlacedPoint {
  std::string name;
  double flop_per_byte = 0, gflop_per_s = 0;  ///< in the units of `quantity`
  double lo = 0, hi = 0;                      ///< of gflop_per_s, from the interval of its seconds
  std::string from = {};    ///< the point that it is derived from, possibly on another chart; empty: none
  std::string detail = {};  ///< its figures, what binds it, its headroom and why, in words
  bool simulated = false;
  std::vector<PlacedLevel> levels = {};  ///< from L1, at flop_per_byte, to memory (point_levels.hpp)
  int number = 0;                        ///< from 1, beside the symbol instead of the name; 0: the name
  Quantity quantity = flops_quantity;
  double share = 0;             ///< of a function: its part of the time of its program; 0: no function
  std::string short_name = {};  ///< of a function, for the chart; the table has the name
};

/// The name; of a function the short one with its share: "spmv 82 %", "cg: spmv 82 %".
std::string shown_name(const PlacedPoint& point);

/// The symbol of point number `i` of a chart: of a function a ring whose area is its share.
Style symbol_of(const PlacedPoint& point, std::size_t i);

inline constexpr double symbol_radius = 5.5;     ///< of point_style of size 1.1, in points
inline constexpr std::size_t longest_name = 32;  ///< characters on the chart; the table has the whole name

/// Whether point number `i` belongs on the chart of this cluster; a point of all clusters is on every chart.
bool is_on_chart(const Recorded& recorded, std::size_t i, int cluster);

/// The reading of that point under the roofs of this cluster.
model::Reading reading_on(const Recorded& recorded, std::size_t i, int cluster);

/// The points of this cluster that can be drawn; a point of all clusters counts with its even share. Also
/// counts the others: a point without flops or without bytes has no position on logarithmic axes.
struct ClusterPoints {
  std::vector<PlacedPoint> drawn;
  int without_place = 0;
  int integer = 0;  ///< programs without flops, which have a chart of their own
};
ClusterPoints points_of_cluster(const Recorded& recorded, int cluster);

/// The functions of these points with a twentieth of the time of their program or more. Each stands at the
/// intensity by the bytes of the level that it needs most. Its time is the part of the program's that its
/// largest need has of those of all functions.
ClusterPoints functions_of_cluster(const Recorded& recorded, int cluster);

/// The programs without flops whose accesses are known, by accesses instead of flops.
ClusterPoints accesses_of_cluster(const Recorded& recorded, int cluster);

struct PointLabel {
  std::string text;
  double x = 0, symbol_y = 0;  ///< of the symbol
  double y = 0;                ///< of the label: the wanted position, then the final one
  double width = 0;
  double out_x = 0, out_y = 0;  ///< unit vector to where the point is, if it is beyond the area
  bool left = false;            ///< of the symbol
  bool prefers_left = false;    ///< a line leads from the symbol to the right
  double shift = 0;             ///< additional distance from the symbol
  double slide = 0;             ///< to the left, back into the area, if it is too long for either side

  bool outside() const { return out_x != 0 || out_y != 0; }
  double from() const;
  double to() const;
  Box box() const;
  double end_x() const;  ///< where the line from the symbol ends
  double end_y() const;
};

/// Length of the arrow that shows where a point beyond the area lies.
inline constexpr double out_arrow = 26;

/// Puts each label inside the area, as near to its symbol as possible without covering a mark, one of the
/// `texts`, or another label: the best of several orders of placing them one after the other. Where the area
/// is too full for that, labels cover each other rather than marks.
void place_point_labels(std::vector<PointLabel>& labels, const Box& area, const std::vector<Box>& marks,
                        const std::vector<Box>& texts);

/// Adds symbols, intervals, dots of levels and arrows to the panel, inside the area. A point beyond it
/// becomes an arrow at its edge that shows its direction. Returns the names, which are not placed yet; the
/// name of a point beyond the area has its figures, and one too close to its origin for an arrow names that.
std::vector<PointLabel> add_points(Panel& panel, const std::vector<PlacedPoint>& points, const Box& area);

/// Whether an interval of a point inside the area extends beyond the axes.
bool is_interval_cut(const Panel& panel, const std::vector<PlacedPoint>& points,
                     const std::vector<PointLabel>& labels);

/// Places these names clear of the panel's marks and the chart's other labels, and adds them, with lines that
/// lead to them; then the labels of levels that have room.
void add_point_labels(Chart& chart, Panel& panel, const std::vector<PlacedPoint>& points,
                      std::vector<PointLabel> labels, const Box& area);

// Many applications have numbers beside the symbols, and their names in the legend.

inline constexpr std::size_t most_names = 12;  ///< of points beside their symbols

/// Numbers the points in their order if there are more than `most_names`.
void number_if_many(std::vector<PlacedPoint>& points);

/// Entries of the points that have numbers: "7 stencil", with the symbol.
std::vector<LegendEntry> legend_of(const std::vector<PlacedPoint>& points);

}  // namespace gable::charts
