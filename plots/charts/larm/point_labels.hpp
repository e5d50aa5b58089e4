#pragma once

// The positions of the names of points: next to their symbols, without overlapping each other or other
// points' intervals. In points of the picture, from the lower left corner of the area.

#include <string>
#include <vector>

namespace gable::charts {

struct PointLabel {
  std::string text;
  double x = 0, symbol_y = 0;  ///< of the symbol
  double y = 0;                ///< of the label: the wanted position, then the final one
  double width = 0;
  double lo = 0, hi = 0;  ///< of the interval, a bar through the symbol; unused for a point outside the area
  bool below = false, above = false;  ///< the interval continues beyond the area, where the bar ends
  double out_x = 0, out_y = 0;        ///< unit vector to where the point is, if it is beyond the area
  bool left = false;                  ///< of the symbol
  double shift = 0;                   ///< additional distance from the symbol

  bool outside() const { return out_x != 0 || out_y != 0; }
  double from() const;
  double to() const;
};

inline constexpr double out_arrow =
    26;  ///< length of the arrow that shows where a point beyond the area lies

/// Puts each label on a side with enough space in an area of `width`. Moves labels vertically if they would
/// overlap, and away from their symbols if they would cover another symbol or its interval; that of a point
/// beyond the area moves vertically for that too, so that it stays beside its arrow.
void place_point_labels(std::vector<PointLabel>& labels, double width, double height);

}  // namespace gable::charts
