#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/lists.hpp"
#include "model/statistics/statistics.hpp"
#include "plots/charts/cluster/cluster.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {
namespace {

constexpr std::size_t most_dots = 200;  // of a strip; more nodes are drawn as quartiles and range
constexpr double strip_height = 26;

struct Strip {
  const NodeRoof* roof;
  double middle = 1;
  std::vector<double> percents;  // by node; not a number where it has none
};

std::vector<double> finite(const std::vector<double>& values) {
  std::vector<double> found;
  std::ranges::copy_if(values, std::back_inserter(found), [](double value) { return std::isfinite(value); });
  return found;
}

std::vector<Strip> strips_of(const NodeGroupFigures& group, bool changes) {
  std::vector<Strip> strips;
  for (const NodeRoof& roof : group.roofs) {
    const std::vector<double> known = finite(roof.values);
    if (known.empty()) continue;
    Strip strip{&roof, changes ? 1 : model::median(known), {}};
    for (const double value : roof.values) strip.percents.push_back(100 * (value / strip.middle - 1));
    strips.push_back(std::move(strip));
  }
  return strips;
}

// Symmetric, wide enough for everything, and readable ticks.
Axis percent_axis(const std::vector<Strip>& strips, bool changes) {
  double reach = 0.5;
  for (const Strip& strip : strips)
    for (const double percent : finite(strip.percents)) reach = std::max(reach, std::abs(percent));
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
  const std::vector<double> known = finite(strip.percents);
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
    panel.series.push_back(
        {"",
         Mark::line,
         thin,
         {{*std::ranges::min_element(known), row}, {*std::ranges::max_element(known), row}}});
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
  std::ranges::sort(nodes, std::greater<>(),
                    [&](std::size_t node) { return std::abs(strip.percents[node]); });
  return first_few(nodes, 3, [&](std::size_t node) {
    return fmt::format("{} {:+.1f} %", group.nodes[node], strip.percents[node]);
  });
}

Table strip_table(const NodeGroupFigures& group, const std::vector<Strip>& strips) {
  Table table({"roof", "unit", "node", "value", "percent", "outlier"});
  for (const Strip& strip : strips) {
    for (std::size_t i = 0; i < strip.percents.size(); ++i) {
      const bool outlier = std::ranges::find(strip.roof->outliers, i) != strip.roof->outliers.end();
      if (strip.percents.size() > most_dots && !outlier) continue;  // the range is in the chart
      table.add_row();
      table.set("roof", strip.roof->name);
      table.set("unit", strip.roof->unit);
      table.set("node", group.nodes[i]);
      table.set("value", strip.roof->values[i]);
      table.set("percent", strip.percents[i]);
      table.set("outlier", outlier ? 1 : 0);
    }
  }
  return table;
}

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
  panel.x = percent_axis(strips, changes);
  panel.y = {"", rows - 0.5, -0.5, Scale::linear, std::vector<Tick>()};
  panel.y.grid = Grid::none;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    const auto row = static_cast<double>(i);
    panel.y.ticks->push_back({row, strips[i].roof->name});
    add_strip(panel, strips[i], row);
  }
  panel.series.push_back({"", Mark::line, Style{ink, 1.0}, {{0, -0.5}, {0, rows - 0.5}}});
  for (std::size_t i = 0; i < strips.size(); ++i)
    chart.labels.push_back({named_outliers(group, strips[i]), panel.area.left + panel.area.width + 10,
                            panel.page_y(static_cast<double>(i)), Align::left, 0xb5302a, 11});
  std::erase_if(chart.labels, [](const Label& label) { return label.text.empty(); });
  chart.width = panel.area.left + panel.area.width + 24 + outliers;
  chart.height = panel.area.top + panel.area.height + axis_room;
  const bool many = group.nodes.size() > most_dots;
  chart.note =
      std::string(many ? "Box: middle half of the nodes; line: all of them. " : "A dot for each node. ") +
      "Red: too far from the median for equal nodes (MAD, Student's t, the number of nodes counted).";
  chart.panels.push_back(std::move(panel));
  make_room_for_texts(chart);
  return chart;
}

}  // namespace gable::charts
