#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plots/charts/cluster/cluster.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {
namespace {

// The map is about twice as wide as high, and has no more columns than nodes.
std::size_t columns_for(std::size_t nodes) {
  const double wanted = std::ceil(std::sqrt(2.0 * static_cast<double>(nodes)));
  return std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, 96);
}

struct Place {
  double x, y;
};

}  // namespace

Chart map_chart(const NodeGroupFigures& group, std::size_t index) {
  const std::string name = fmt::format("cluster-map-{}", group.number);
  const NodeRoof& roof = group.roofs.at(index);
  double least = HUGE_VAL, most = 0;
  for (const double value : roof.values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  if (most <= 0 || group.nodes.size() < 2)
    return omitted_chart(name, "fewer than two nodes have this figure");
  const std::size_t columns = columns_for(group.nodes.size()),
                    rows = (group.nodes.size() + columns - 1) / columns;
  const double cell = std::clamp(720.0 / static_cast<double>(columns), 8.0, 60.0);
  const auto place = [&](std::size_t node) {
    return Place{static_cast<double>(node % columns), static_cast<double>(node / columns)};
  };
  Chart chart;
  chart.name = name;
  chart.title = fmt::format("{}: {}", group.cluster, roof.name);
  chart.subtitle = fmt::format("{} nodes of {}", group.nodes.size(), group.hardware);
  Panel panel;
  panel.area = {60, 84, cell * static_cast<double>(columns), cell * static_cast<double>(rows)};
  panel.frame = Frame::none;
  panel.x = {"", -0.5, static_cast<double>(columns) - 0.5, Scale::linear, std::vector<Tick>()};
  panel.y = {"", static_cast<double>(rows) - 0.5, -0.5, Scale::linear, std::vector<Tick>()};
  panel.x.grid = panel.y.grid = Grid::none;
  panel.x.ticks = panel.y.ticks = std::vector<Tick>();
  Series known{"", Mark::cells, Style{darkest_cell}, {}, 0.92},
      none{"no figure", Mark::cells, Style{0xc8c8c8}, {}, 0.92};
  none.style.hatched = true;
  chart.table = Table({"node", "value", "unit", "column", "row", "outlier"});
  const bool named = cell > 40;
  for (std::size_t i = 0; i < group.nodes.size(); ++i) {
    const auto [x, y] = place(i);
    const bool ok = std::isfinite(roof.values[i]);
    const double share = ok && most > least ? (roof.values[i] - least) / (most - least) : 0.5;
    (ok ? known : none).data.push_back({x, y, ok ? 0.06 + 0.94 * share : 1});
    chart.table.add_row();
    chart.table.set("node", group.nodes[i]);
    chart.table.set("value", roof.values[i]);
    chart.table.set("unit", roof.unit);
    chart.table.set("column", x);
    chart.table.set("row", y);
    chart.table.set("outlier", std::ranges::find(roof.outliers, i) != roof.outliers.end() ? 1 : 0);
    if (!named) continue;
    const Colour colour = ok && share > 0.6 ? 0xffffff : ink;
    chart.labels.push_back({group.nodes[i], panel.page_x(x), panel.page_y(y) - 8, Align::center, colour, 9});
    chart.labels.push_back({ok ? three_digits(roof.values[i]) : "–", panel.page_x(x), panel.page_y(y) + 6,
                            Align::center, colour, 12});
  }
  if (!named) {  // the first node of each row
    for (std::size_t row = 0; row < rows;
         row += std::max<std::size_t>(1, static_cast<std::size_t>(14 / cell)))
      chart.labels.push_back({group.nodes[row * columns], panel.area.left - 6,
                              panel.page_y(static_cast<double>(row)), Align::right, soft_ink, 9});
  }
  panel.series.push_back(std::move(known));
  if (!none.data.empty()) panel.series.push_back(std::move(none));
  Style red{0xb5302a, 2.2};
  for (const std::size_t node : roof.outliers) {
    const auto [x, y] = place(node);
    constexpr double half = 0.48;
    panel.series.push_back({"",
                            Mark::line,
                            red,
                            {{x - half, y - half},
                             {x + half, y - half},
                             {x + half, y + half},
                             {x - half, y + half},
                             {x - half, y - half}}});
  }
  double left = text_width(named ? "" : group.nodes.back()) + page_margin;
  const double shift = std::max(0.0, left - panel.area.left);
  panel.area.left += shift;
  for (Label& label : chart.labels) label.x += shift;
  chart.width = panel.area.left + panel.area.width + 24;
  chart.height = panel.area.top + panel.area.height + 20;
  chart.note =
      fmt::format("White: {} {}; dark: {} {}. In the order of their names, row by row. Framed: outliers.",
                  three_digits(least), roof.unit, three_digits(most), roof.unit);
  chart.panels.push_back(std::move(panel));
  make_room_for_texts(chart);
  return chart;
}

}  // namespace gable::charts
