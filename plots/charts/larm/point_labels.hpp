#pragma once

// Where the names of points stand: beside their symbols, clear of each other and of other points' intervals.
// In points of the picture, from the lower left corner of the area.

#include <string>
#include <vector>

namespace gable::charts {

struct PointLabel {
  std::string text;
  double x = 0, symbol_y = 0;  ///< of the symbol
  double y = 0;                ///< of the label: where it is wanted, then where it stands
  double width = 0;
  double lo = 0, hi = 0;  ///< of the interval, which is a bar through the symbol; of one outside nothing
  bool below = false, above = false;  ///< the interval goes on beyond the area, where the bar ends
  double out_x = 0, out_y = 0;        ///< unit vector to where the point is, if it is beyond the area
  bool left = false;                  ///< of the symbol
  double shift = 0;                   ///< how much further from the symbol than usual

  bool outside() const { return out_x != 0 || out_y != 0; }
  double from() const;
  double to() const;
};

inline constexpr double out_arrow =
    26;  ///< length of the arrow that shows where a point beyond the area lies

/// Puts the labels on the side where they have room in an area of `width`, moves them in height where they
/// would overlap, and away from their symbols where they would lie on another one or its interval.
void place_point_labels(std::vector<PointLabel>& labels, double width, double height);

}  // namespace gable::charts
