// Points on the surface of the hybrid model, from both sides: over the share of the fast memory, and over
// the share of loads. Arrows lead from one placement of a program to another.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "plots/charts/chart.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/hybrid/panels.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

struct Side {
  const char* name;   ///< of the lines' series in the table
  const char* title;  ///< of the axis, in percent
  double (HybridPoint::*place)() const;
  std::optional<double> (HybridPoint::*model)(double percent) const;
};
constexpr Side sides[] = {
    {"fast", "accesses to the fast memory", &HybridPoint::fast_percent, &HybridPoint::with_fast},
    {"loads", "loads", &HybridPoint::load_percent, &HybridPoint::with_loads}};

// The model's line through a point's mix; empty where it gives nothing.
std::vector<Datum> model_line(const HybridPoint& point, const Side& side) {
  std::vector<Datum> line;
  for (int percent = 0; percent <= 100; ++percent) {
    const auto gb_per_s = (point.*side.model)(percent);
    line.push_back({static_cast<double>(percent), gb_per_s ? *gb_per_s : NAN});
  }
  return line;
}

bool is_same(const std::vector<Datum>& a, const std::vector<Datum>& b) {
  constexpr double alike = 0.002;
  return std::ranges::equal(a, b, [](const Datum& one, const Datum& other) {
    return std::isfinite(one.y) == std::isfinite(other.y) &&
           (!std::isfinite(one.y) || std::abs(one.y - other.y) <= alike * one.y);
  });
}

Style line_style(const model::OnPair& on) {
  Style style = law_style(true, 0);
  style.width = 1.6;
  if (on.estimated) style.dash = {7, 4};
  return style;
}

const char* line_name(const model::OnPair& on) {
  return on.estimated    ? "model of all clusters (estimate)"
         : on.everywhere ? "model of all clusters"
                         : "model";
}

void add_row(Table& table, const Recorded& recorded, const HybridPoint& point) {
  const model::Point& its = recorded.points[point.index];
  table.add("point", its.name, its.from, its.simulated ? "yes" : "", point.fast_percent(),
            point.load_percent(), point.gb_per_s, point.lo, point.hi);
  if (!point.model) return;
  table.set("model_gb_per_s", *point.model);
  table.set("distance_percent", 100 * (point.gb_per_s / *point.model - 1));
}

// The lines of a side, each once, and their rows.
void add_lines(Chart& chart, Panel& panel, const std::vector<HybridPoint>& points, const Side& side) {
  std::vector<std::vector<Datum>> drawn;
  for (const HybridPoint& point : points) {
    const std::vector<Datum> line = model_line(point, side);
    if (std::ranges::any_of(drawn, [&](const auto& other) { return is_same(line, other); })) continue;
    drawn.push_back(line);
    panel.series.push_back({line_name(point.on), Mark::line, line_style(point.on), line});
    for (const Datum& datum : line) {
      if (!std::isfinite(datum.y)) continue;
      const bool is_fast = side.place == &HybridPoint::fast_percent;
      chart.table.add(side.name, "", "", "", is_fast ? datum.x : point.fast_percent(),
                      is_fast ? point.load_percent() : datum.x, datum.y);
    }
  }
}

std::vector<PlacedPoint> placed_on(const Recorded& recorded, const std::vector<HybridPoint>& points,
                                   const Side& side) {
  std::vector<PlacedPoint> placed;
  for (const HybridPoint& point : points) {
    const model::Point& its = recorded.points[point.index];
    PlacedPoint at;
    at.name = its.name;
    at.flop_per_byte = (point.*side.place)();
    at.gflop_per_s = point.gb_per_s;
    at.lo = point.lo;
    at.hi = point.hi;
    at.from = its.from;
    at.detail = fmt::format("{}{} GB/s, {}", its.simulated ? "simulated; " : "", three_digits(point.gb_per_s),
                            point.distance_text());
    at.simulated = its.simulated;
    at.number = static_cast<int>(placed.size()) + 1;
    placed.push_back(std::move(at));
  }
  return placed;
}

double highest(const std::vector<HybridPoint>& points) {
  double most = 0;
  for (const HybridPoint& point : points) {
    most = std::max(most, point.hi);
    for (const Side& side : sides) {
      for (const Datum& datum : model_line(point, side)) {
        if (std::isfinite(datum.y)) most = std::max(most, datum.y);
      }
    }
  }
  return most;
}

Panel panel_of(const Side& side, const Rectangle& area, double most) {
  Panel panel;
  panel.area = area;
  panel.x = percent_axis(side.title);
  panel.y = {{"bandwidth", "GB/s"}, 0, 1.08 * most};
  return panel;
}

// Returns the name without " (simulated)", which the open symbol already says.
std::string without_suffix(const PlacedPoint& point) {
  constexpr std::string_view suffix = " (simulated)";
  if (!point.simulated || !point.name.ends_with(suffix)) return point.name;
  return point.name.substr(0, point.name.size() - suffix.size());
}

// A paper's column has less room.
std::vector<LegendEntry> legend_with_distances(const std::vector<PlacedPoint>& placed,
                                               const std::vector<HybridPoint>& points, bool column) {
  constexpr std::size_t longest_in_column = 24;
  std::vector<LegendEntry> legend = legend_of(placed);
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const std::string distance = points[i].model ? points[i].distance_text() : "no model";
    if (column)
      legend[i].text = fmt::format("{} {}: {}", placed[i].number,
                                   shortened(without_suffix(placed[i]), longest_in_column), distance);
    else
      legend[i].text += fmt::format(": {} GB/s, {}", three_digits(points[i].gb_per_s), distance);
  }
  return legend;
}

std::string note_of(const Recorded& recorded, const std::vector<HybridPoint>& points,
                    const model::HybridPair& pair) {
  std::string note = "Lines: the model at the mix of the points. Bars: 95 % confidence intervals.";
  const auto unknown = std::ranges::find_if(points, [](const HybridPoint& point) { return !point.model; });
  if (unknown != points.end())
    note += fmt::format(" Without a line where the model does not give the mix: {}.", unknown->reason);
  if (std::ranges::any_of(points,
                          [&](const HybridPoint& point) { return recorded.points[point.index].simulated; }))
    note += " Open symbols: simulated.";
  if (std::ranges::any_of(points, [](const HybridPoint& point) { return point.on.everywhere; }))
    note += " Of all clusters: GB/s of each.";
  if (std::ranges::any_of(points, [](const HybridPoint& point) { return point.on.estimated; }))
    note += fmt::format(" Estimate: θ of {}, bandwidths of all at once.",
                        pair.all_clusters ? "all clusters with their own memories" : "the cluster alone");
  return note;
}

}  // namespace

Chart hybrid_programs_chart(const Recorded& recorded, const model::HybridPair& pair) {
  const std::string name = pair_chart_name("hybrid-programs", pair);
  if (pair.status != model::Status::ok) return omitted_chart(name, sentence(pair.reason));
  const std::vector<HybridPoint> points = points_on(recorded, pair);
  if (points.empty()) return omitted_chart(name, "no point uses these two memories alone");
  Chart chart;
  chart.name = name;
  chart.table = Table({"series", "point", "from", "simulated", "fast_percent", "load_percent", "gb_per_s",
                       "lo", "hi", "model_gb_per_s", "distance_percent"});
  set_titles(chart, recorded, "Programs in two memories", pair.cluster, pair_text(pair));
  chart.note = note_of(recorded, points, pair);
  PanelGrid grid{.top = 106, .width = 400, .height = 300, .gap_x = 76, .columns = 2};
  if (chart.column) {
    grid.fit_column(column_page);
    grid.gap_y = 64;  // both panels have a title of their axis
  }
  for (const bool estimated : {false, true}) {
    const auto drawn = std::ranges::find_if(
        points, [&](const HybridPoint& point) { return point.on.estimated == estimated && point.model; });
    if (drawn != points.end())
      chart.legend.push_back({line_name(drawn->on), Mark::line, line_style(drawn->on)});
  }
  lay_out_grid(chart, grid, 2, {});
  for (const HybridPoint& point : points) add_row(chart.table, recorded, point);
  const double most = highest(points);
  std::vector<PlacedPoint> placed;
  for (int i = 0; i < 2; ++i) {
    const Side& side = sides[static_cast<std::size_t>(i)];
    Panel panel = panel_of(side, grid.area(i), most);
    add_lines(chart, panel, points, side);
    placed = placed_on(recorded, points, side);
    const Rectangle& at = panel.area;
    constexpr double edge = 12;  // symbols stand on the frame
    const Box area{at.left - edge, at.right() + edge, at.top - edge, at.bottom() + edge};
    std::vector<PointLabel> labels = add_points(panel, placed, area);
    add_point_labels(chart, panel, placed, std::move(labels), area);
    chart.panels.push_back(std::move(panel));
  }
  add_to_legend_below(chart, legend_with_distances(placed, points, chart.column));
  return chart;
}

}  // namespace gable::charts
