#pragma once

// Parts that several charts have in common: axes, series, pages.

#include <limits>

#include "plots/charts/chart.hpp"

namespace gable::charts {

/// The smallest and the largest value.
struct Extremes {
  double least = std::numeric_limits<double>::max(), most = 0;
  void see(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

/// An axis of places that are numbered from 0: bars, or the cells of a matrix. It has no ticks yet.
Axis places_axis(double count, const AxisTitle& title = {});
/// The same as a y axis of rows, the first one above.
Axis rows_axis(double count, const AxisTitle& title = {});
/// From 0 to 100, with a tick at every quarter.
Axis percent_axis(const char* title);

/// A series without a name of its own, which a reader shows and hides with the others of the group.
Series part_of(const std::string& group, Mark mark, const Style& style, std::vector<Datum> data);

/// A line through the data, their intervals, and symbols, which alone have the name.
void add_curve(Panel& panel, const std::string& name, const std::vector<Datum>& data, const Style& line,
               const Style& intervals, const Style& symbols);

/// Gives the page the size of its only, or lowest right, panel with room on the right and below it.
void fit_page(Chart& chart, const Rectangle& area, double right, double below = axis_room);

/// Where the legend stands above a grid of panels. It is at least as wide as a page of `least_width`.
struct LegendAbove {
  double left = 20, top = 80, least_width = 0;
};
/// Lays out a page of `count` panels, with the legend above them and room on the right. The grid moves down
/// for further rows of the legend.
void lay_out_grid(Chart& chart, PanelGrid& grid, int count, const LegendAbove& legend, double right = 24);

/// The largest unit that is not above the value; the last one otherwise.
struct Unit {
  const char* name;
  double size;
};
Unit unit_for(double value, const std::vector<Unit>& descending);

}  // namespace gable::charts
