#include "plots/charts/parts.hpp"

#include <utility>

namespace gable::charts {

Axis places_axis(double count, const AxisTitle& title) {
  return {title, -0.5, count - 0.5, Scale::linear, std::vector<Tick>(), true, Grid::none};
}

Axis rows_axis(double count, const AxisTitle& title) {
  Axis axis = places_axis(count, title);
  std::swap(axis.from, axis.to);
  return axis;
}

Axis percent_axis(const char* title) {
  Axis axis{{title, "%"}, 0, 100, Scale::linear, std::vector<Tick>()};
  for (const int percent : {0, 25, 50, 75, 100})
    axis.ticks->push_back({static_cast<double>(percent), std::to_string(percent)});
  return axis;
}

Series part_of(const std::string& group, Mark mark, const Style& style, std::vector<Datum> data) {
  return {"", mark, style, std::move(data), 1, "", group};
}

void add_curve(Panel& panel, const std::string& name, const std::vector<Datum>& data, const Style& line,
               const Style& intervals, const Style& symbols) {
  panel.series.push_back(part_of(name, Mark::line, line, data));
  panel.series.push_back(part_of(name, Mark::intervals, intervals, data));
  panel.series.push_back({name, Mark::points, symbols, data});
}

void fit_page(Chart& chart, const Rectangle& area, double right, double below) {
  chart.width = area.right() + right;
  chart.height = area.bottom() + below;
}

void lay_out_grid(Chart& chart, PanelGrid& grid, int count, const LegendAbove& legend, double right) {
  chart.width = chart.column ? column_page : grid.right_end() + right;
  const double width = std::max(chart.width, legend.least_width) - legend.left;
  grid.top += (lay_out_legend(chart, legend.left, legend.top, width) - 1) * legend_row;
  chart.height = grid.bottom_end(count) + axis_room;
  make_room_for_texts(chart);
}

Unit unit_for(double value, const std::vector<Unit>& descending) {
  for (const Unit& unit : descending) {
    if (value >= unit.size) return unit;
  }
  return descending.back();
}

}  // namespace gable::charts
