#include "plots/charts/kmaf/charts.hpp"
#include "plots/charts/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace gable::charts {

namespace {

// A bar that is cut at the axis gets its value as a label.
void add_bars(Chart& chart, Panel& panel, const std::vector<BarSeries>& series) {
  const double breadth = 0.84 / static_cast<double>(series.size());
  for (std::size_t s = 0; s < series.size(); ++s) {
    Series bars{series[s].name, Mark::bars, series[s].style, {}, breadth * 0.92};
    Series light = part_of(bars.name, Mark::intervals, Style{0xffffff, 3.6}, {}),
           dark = part_of(bars.name, Mark::intervals, Style{ink, 1.4}, {});
    for (std::size_t group = 0; group < series[s].figures.size(); ++group) {
      const auto& figure = series[s].figures[group];
      if (!figure) continue;
      const double x = static_cast<double>(group) - 0.42 + (static_cast<double>(s) + 0.5) * breadth;
      const Datum datum{x, std::min(figure->value, panel.y.to), figure->lo, figure->hi};
      bars.data.push_back(datum);
      if (figure->value > panel.y.to)
        chart.labels.push_back({fmt::format("{:.1f}", figure->value), panel.page_x(x), panel.area.top + 16,
                                Align::center, ink, 9, true, true});
      // A dark line on a white one is visible both on and above black bars.
      if (!figure->has_interval() || figure->lo > panel.y.to) continue;
      light.data.push_back(datum);
      dark.data.push_back(datum);
    }
    for (Series* each : {&bars, &light, &dark}) panel.series.push_back(std::move(*each));
  }
}

// The number of rows in which the names below the axis do not touch each other.
std::size_t rows_of(const std::vector<std::string>& groups, double width) {
  const double room = width / static_cast<double>(groups.size());
  const double widest = std::ranges::max(groups | std::views::transform(text_width));
  return static_cast<std::size_t>(std::ceil((widest + 4) / room));
}

}  // namespace

double put_figure(Table& table, const kmaf::Summary& figure) {
  table.set("value", figure.value);
  if (figure.has_interval()) {
    table.set("lo", figure.lo);
    table.set("hi", figure.hi);
  }
  return figure.hi;
}

void draw_bars(Chart& chart, const std::vector<std::string>& groups, const std::vector<BarSeries>& series,
               const char* axis, double most, double width) {
  chart.width = chart.column ? column_page : width;
  chart.height = 104 + 272 + 40;
  for (const BarSeries& each : series) chart.legend.push_back({each.name, Mark::bars, each.style});
  const int rows = lay_out_legend(chart, 76, 76, chart.width - 76);
  make_room_for_texts(chart);
  Panel panel;
  panel.area = {76, 96.0 + (rows - 1) * legend_row, chart.width - 100, 280};
  chart.height += (rows - 1) * legend_row;
  panel.x = {"", -0.55, static_cast<double>(groups.size()) - 0.45, Scale::linear, std::vector<Tick>()};
  panel.x.grid = Grid::none;
  const std::size_t name_rows = chart.column ? rows_of(groups, panel.area.width) : 1;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t row = i % name_rows;
    const auto at = static_cast<double>(i);
    panel.x.ticks->push_back({at, row > 0 ? "" : groups[i]});
    if (row > 0)
      chart.labels.push_back(
          {groups[i], panel.page_x(at),
           panel.area.top + panel.area.height + 21 + line_height * static_cast<double>(row), Align::center,
           0x444444});
  }
  chart.height += line_height * static_cast<double>(name_rows - 1);
  panel.y = {axis, 0, most};
  add_bars(chart, panel, series);
  chart.panels.push_back(std::move(panel));
}

void draw_ratios(Chart& chart, const std::vector<std::string>& groups, const std::vector<BarSeries>& series,
                 double most, double width) {
  draw_bars(chart, groups, series, "relative to the OS", most, width);
  Panel& panel = chart.panels.back();
  panel.series.push_back({"the OS", Mark::line, Style{ink, 1}, {{panel.x.from, 1}, {panel.x.to, 1}}});
}

}  // namespace gable::charts
