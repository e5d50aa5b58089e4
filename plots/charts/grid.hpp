#pragma once

// Panels of one size in rows and columns.

#include "plots/charts/chart.hpp"

namespace gable::charts {

struct PanelGrid {
  double left = 70, top = 104;       ///< of the first panel, on the page
  double width = 252, height = 226;  ///< of each panel
  double gap_x = 34, gap_y = 50;
  int columns = 1;

  Rectangle area(int index) const {
    const int column = index % columns, row = index / columns;
    return {left + column * (width + gap_x), top + row * (height + gap_y), width, height};
  }
  int rows(int count) const { return (count + columns - 1) / columns; }
  double right_end() const { return left + columns * (width + gap_x) - gap_x; }
  double bottom_end(int count) const { return top + rows(count) * (height + gap_y) - gap_y; }
  bool is_first_column(int index) const { return index % columns == 0; }
  bool is_lowest(int index, int count) const { return index + columns >= count; }
};

}  // namespace gable::charts
