#pragma once

// The positions of the names of points: next to their symbols, without covering each other, other labels, or
// marks. In points of the page.

#include <string>
#include <vector>

#include "plots/charts/larm/obstacles.hpp"

namespace gable::charts {

struct PointLabel {
  std::string text;
  double x = 0, symbol_y = 0;  ///< of the symbol
  double y = 0;                ///< of the label: the wanted position, then the final one
  double width = 0;
  double out_x = 0, out_y = 0;  ///< unit vector to where the point is, if it is beyond the area
  bool left = false;            ///< of the symbol
  bool prefers_left = false;    ///< a line leads from the symbol to the right
  double shift = 0;             ///< additional distance from the symbol

  bool outside() const { return out_x != 0 || out_y != 0; }
  double from() const;
  double to() const;
  Box box() const;
};

inline constexpr double out_arrow =
    26;  ///< length of the arrow that shows where a point beyond the area lies

/// Puts each label inside the area, as near to its symbol as possible without covering a mark, one of the
/// `texts`, or another label: the best of several orders of placing them one after the other. Where the area
/// is too full for that, labels cover each other rather than marks.
void place_point_labels(std::vector<PointLabel>& labels, const Box& area, const std::vector<Box>& marks,
                        const std::vector<Box>& texts);

}  // namespace gable::charts
