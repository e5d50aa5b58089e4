#include "plots/charts/cluster/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/statistics/statistics.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

constexpr std::size_t most_dots = 200;  // of a strip; more nodes are drawn as quartiles and range
constexpr double strip_height = 26;

struct Strip {
  const NodeRoof* roof;
  double middle = 1;
  std::vector<double> percents;  // by node; not a number where it has none
};

std::vector<Strip> strips_of(const NodeGroupFigures& group, bool changes) {
  std::vector<Strip> strips;
  for (const NodeRoof& roof : group.roofs) {
    const std::vector<double> known = model::finite_of(roof.values);
    if (known.empty()) continue;
    Strip strip{&roof, changes ? 1 : model::median(known), {}};
    for (const double value : roof.values) strip.percents.push_back(100 * (value / strip.middle - 1));
    strips.push_back(std::move(strip));
  }
  return strips;
}

// Symmetric, wide enough for everything, and readable ticks.
Axis strip_axis(const std::vector<Strip>& strips, bool changes) {
  double reach = 0.5;
  for (const Strip& strip : strips)
    for (const double percent : model::finite_of(strip.percents)) reach = std::max(reach, std::abs(percent));
  reach *= 1.06;
  return {{changes ? "change from the earlier recording" : "distance from the median of the nodes", "%"},
          -reach,
          reach};
}

// Dots of one row lie a little above each other, so that equal ones are seen.
double jitter(std::size_t node) {
  return 0.44 * (std::fmod(static_cast<double>(node) * 0.618034, 1.0) - 0.5);
}

void add_strip(Panel& panel, const Strip& strip, double row) {
  const std::vector<double> known = model::finite_of(strip.percents);
  Style grey{0x8a99a8};
  grey.size = 0.4;
  if (known.size() <= most_dots) {
    Series dots{"", Mark::points, grey, {}};
    for (std::size_t i = 0; i < strip.percents.size(); ++i)
      if (std::isfinite(strip.percents[i])) dots.data.push_back({strip.percents[i], row + jitter(i)});
    panel.series.push_back(std::move(dots));
  } else {
    Style thin{0x8a99a8};
    thin.width = 1.2;
    const auto [least, most] = std::ranges::minmax(known);
    panel.series.push_back({"", Mark::line, thin, {{least, row}, {most, row}}});
    Style box{0x5b7fa6};
    box.opacity = 0.55;
    const double low = model::quantile(known, 0.25), high = model::quantile(known, 0.75);
    panel.series.push_back(
        {"", Mark::area, box, {{low, row - 0.3}, {high, row - 0.3}, {high, row + 0.3}, {low, row + 0.3}}});
  }
  Style red{0xb5302a};
  red.size = 0.6;
  Series out{"", Mark::points, red, {}};
  for (const std::size_t node : strip.roof->outliers)
    out.data.push_back({strip.percents[node], row + (known.size() <= most_dots ? jitter(node) : 0)});
  if (!out.data.empty()) panel.series.push_back(std::move(out));
}

// The names of the worst outliers of the row, beside its end.
std::string named_outliers(const NodeGroupFigures& group, const Strip& strip) {
  std::vector<std::size_t> nodes = strip.roof->outliers;
  sort_down_by(nodes, [&](std::size_t node) { return std::abs(strip.percents[node]); });
  return first_few(nodes, 3, [&](std::size_t node) {
    return fmt::format("{} {:+.1f} %", group.nodes[node], strip.percents[node]);
  });
}

Table strip_table(const NodeGroupFigures& group, const std::vector<Strip>& strips) {
  Table table({"roof", "unit", "node", "value", "percent", "outlier"});
  for (const Strip& strip : strips) {
    for (std::size_t i = 0; i < strip.percents.size(); ++i) {
      const bool outlier = is_among(strip.roof->outliers, i);
      if (strip.percents.size() > most_dots && !outlier) continue;  // the range is in the chart
      table.add(strip.roof->name, strip.roof->unit, group.nodes[i], strip.roof->values[i], strip.percents[i],
                outlier ? 1 : 0);
    }
  }
  return table;
}

// The map is about twice as wide as high, and has no more columns than nodes.
std::size_t columns_for(std::size_t nodes) {
  const double wanted = std::ceil(std::sqrt(2.0 * static_cast<double>(nodes)));
  return std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, 96);
}

struct Place {
  double x, y;
};

}  // namespace

Chart strip_chart(const NodeGroupFigures& group, bool changes) {
  const std::string name = fmt::format("cluster-{}-{}", changes ? "drift" : "strips", group.number);
  const std::vector<Strip> strips = strips_of(group, changes);
  if (strips.empty() || group.nodes.size() < 2)
    return omitted_chart(name, "fewer than two nodes have figures");
  Chart chart;
  chart.name = name;
  chart.title = fmt::format("{}: {} of {} nodes", group.cluster,
                            changes ? "change of every roof" : "spread of every roof", group.nodes.size());
  chart.subtitle = group.hardware;
  chart.table = strip_table(group, strips);
  double names = 0, outliers = 0;
  for (const Strip& strip : strips) {
    names = std::max(names, text_width(strip.roof->name));
    outliers = std::max(outliers, text_width(named_outliers(group, strip)));
  }
  Panel panel;
  const auto rows = static_cast<double>(strips.size());
  panel.area = {names + page_margin + 12, 84, 460, strip_height * rows};
  panel.x = strip_axis(strips, changes);
  panel.y = rows_axis(rows);
  for (std::size_t i = 0; i < strips.size(); ++i) {
    const auto row = static_cast<double>(i);
    panel.y.ticks->push_back({row, strips[i].roof->name});
    add_strip(panel, strips[i], row);
  }
  panel.series.push_back({"", Mark::line, Style{ink, 1.0}, {{0, -0.5}, {0, rows - 0.5}}});
  for (std::size_t i = 0; i < strips.size(); ++i)
    chart.labels.push_back({named_outliers(group, strips[i]), panel.area.right() + 10,
                            panel.page_y(static_cast<double>(i)), Align::left, 0xb5302a, 11});
  std::erase_if(chart.labels, [](const Label& label) { return label.text.empty(); });
  fit_page(chart, panel.area, 24 + outliers);
  const bool many = group.nodes.size() > most_dots;
  chart.note =
      std::string(many ? "Box: middle half of the nodes; line: all of them. " : "A dot for each node. ") +
      "Red: too far from the median for equal nodes (MAD, Student's t, the number of nodes counted).";
  chart.panels.push_back(std::move(panel));
  make_room_for_texts(chart);
  return chart;
}

Chart map_chart(const NodeGroupFigures& group, std::size_t index) {
  const std::string name = fmt::format("cluster-map-{}", group.number);
  const NodeRoof& roof = group.roofs.at(index);
  Extremes values;
  for (const double value : model::finite_of(roof.values)) values.see(value);
  const auto [least, most] = values;
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
  panel.x = places_axis(static_cast<double>(columns));
  panel.y = rows_axis(static_cast<double>(rows));
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
    chart.table.add(group.nodes[i], roof.values[i], roof.unit, x, y, is_among(roof.outliers, i) ? 1 : 0);
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
  fit_page(chart, panel.area, 24, 20);
  chart.note =
      fmt::format("White: {} {}; dark: {} {}. In the order of their names, row by row. Framed: outliers.",
                  three_digits(least), roof.unit, three_digits(most), roof.unit);
  chart.panels.push_back(std::move(panel));
  make_room_for_texts(chart);
  return chart;
}

}  // namespace gable::charts
