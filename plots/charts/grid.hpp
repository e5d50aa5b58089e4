#pragma once

// Panels of one size in rows and columns.

#include <algorithm>

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
  /// Makes the panels narrow enough for a paper's column: two beside each other where their titles, `title`
  /// points wide at most, leave room for that.
  void fit_column(double title) {
    gap_x = 26;
    columns = std::min(columns, title <= column_panels(2) ? 2 : 1);
    width = column_panels(columns);
    height = columns == 1 ? 190 : 150;
  }
  int rows(int count) const { return (count + columns - 1) / columns; }
  double right_end() const { return left + columns * (width + gap_x) - gap_x; }
  double bottom_end(int count) const { return top + rows(count) * (height + gap_y) - gap_y; }
  bool is_first_column(int index) const { return index % columns == 0; }
  bool is_lowest(int index, int count) const { return index + columns >= count; }

 private:
  double column_panels(int beside) const { return (column_page - left - 16 + gap_x) / beside - gap_x; }
};

}  // namespace gable::charts
