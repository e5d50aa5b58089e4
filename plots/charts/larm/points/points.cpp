#include "plots/charts/larm/points/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/words.hpp"
#include "model/points/headroom.hpp"
#include "model/points/threads.hpp"
#include "plots/charts/larm/obstacles.hpp"
#include "plots/charts/larm/points/point_levels.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

constexpr double from_edge = 4;  // distance of an arrow that points beyond the area

// The name of a point, so short that it has room on one side of the point.
std::string name_within(const std::string& name, double width) {
  constexpr double share = 0.45;  // of the chart's width
  constexpr std::size_t shortest_name = 8;
  std::size_t most = longest_name;
  while (most > shortest_name && text_width(shortened(name, most)) > share * width) --most;
  return shortened(name, most);
}

// An arrow from one symbol to another, on the page, clear of both.
struct Arrow {
  double from_x, from_y, to_x, to_y;
};
constexpr double round_symbol = 8, shortest = 10, arrow_head = 13;

std::optional<Arrow> arrow_between(const PointLabel& from, const PointLabel& to) {
  const double dx = to.x - from.x, dy = to.symbol_y - from.symbol_y, length = std::hypot(dx, dy);
  if (length < 2 * round_symbol + shortest) return {};
  const double share = round_symbol / length;
  return Arrow{from.x + share * dx, from.symbol_y + share * dy, to.x - share * dx, to.symbol_y - share * dy};
}

// The axes' values at a place on the page.
Datum datum_at(const Panel& panel, double x, double y) {
  return {panel.x.value_at((x - panel.area.left) / panel.area.width),
          panel.y.value_at(1 - (y - panel.area.top) / panel.area.height)};
}

// A simulated one is a dashed line, and an arrow as short as its head.
void add_arrow(Panel& panel, Arrow arrow, const std::string& name, const Style& style) {
  auto& [from_x, from_y, to_x, to_y] = arrow;
  if (!style.dash.empty()) {
    const double share = arrow_head / std::hypot(to_x - from_x, to_y - from_y);
    const Datum from = datum_at(panel, from_x, from_y);
    from_x = to_x - share * (to_x - from_x);
    from_y = to_y - share * (to_y - from_y);
    panel.series.push_back(part_of(name, Mark::line, style, {from, datum_at(panel, from_x, from_y)}));
  }
  panel.series.push_back(
      part_of(name, Mark::arrow, style, {datum_at(panel, from_x, from_y), datum_at(panel, to_x, to_y)}));
}

// The value may have any size: few flops per byte, or many.
std::string figure_text(double value) {
  return value >= 100 && value < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

// Where the symbol stands on the page, and where its label should.
PointLabel label_of(const PlacedPoint& point, const Panel& panel, const Box& area) {
  PointLabel label;
  label.text = point.number > 0 ? fmt::format("{}", point.number)
                                : name_within(shown_name(point), area.right - area.left);
  const double x = panel.page_x(point.flop_per_byte), y = panel.page_y(point.gflop_per_s);
  label.x = std::clamp(x, area.left + from_edge, area.right - from_edge);
  label.symbol_y = std::clamp(y, area.top + from_edge, area.bottom - from_edge);
  const double away = std::hypot(x - label.x, y - label.symbol_y);
  if (away > 0) {
    label.out_x = (x - label.x) / away;
    label.out_y = (y - label.symbol_y) / away;
    label.text += fmt::format(": {} {}, {} {}", figure_text(point.flop_per_byte), point.quantity.per_byte,
                              figure_text(point.gflop_per_s), point.quantity.rate);
  }
  label.y = std::clamp(label.symbol_y - out_arrow / 2 * label.out_y, area.top + line_height / 2,
                       area.bottom - line_height / 2);
  label.width = label_width(label.text);
  label.prefers_left = !point.levels.empty();
  return label;
}

// Draws an arrow to each derived point; without space for it, the label names the origin if it then still
// fits on one side of its symbol.
void add_arrows(Panel& panel, const std::vector<PlacedPoint>& points, std::vector<PointLabel>& labels,
                const Box& area) {
  constexpr double to_symbol = 20;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t from = 0; from < points.size(); ++from) {
      if (points[i].from.empty() || points[from].name != points[i].from) continue;
      if (const auto arrow = arrow_between(labels[from], labels[i])) {
        add_arrow(panel, *arrow, points[i].name, symbol_of(points[i], i));
        continue;
      }
      const std::string origin = points[from].number > 0 ? fmt::format("{}", points[from].number)
                                                         : shortened(points[from].name, longest_name);
      const std::string text = labels[i].text + " (from " + origin + ")";
      if (text_width(text) + to_symbol > std::max(labels[i].x - area.left, area.right - labels[i].x))
        continue;
      labels[i].text = text;
      labels[i].width = label_width(text);
    }
  }
}

// Where the point stands, how much faster it could be, and why.
std::string detail_of(const PlacedPoint& point, const model::Reading& reading) {
  std::string text =
      fmt::format("{} {} at {:.3g} {}, {} GB/s", three_digits(point.gflop_per_s), point.quantity.rate,
                  point.flop_per_byte, point.quantity.per_byte, three_digits(reading.gb_per_s));
  if (!reading.roof.empty())
    text += fmt::format("; roof: {}; headroom {}", reading.roof, model::headroom_text(reading));
  if (point.simulated) text = "simulated; " + text;
  return reading.verdict.empty() ? text : text + "; " + reading.verdict.text();
}

// Fewer than one flop for a hundred accesses: those of its libraries.
bool is_integer(const model::Point& point) {
  return point.accesses > 0 && point.flops < 0.01 * point.accesses;
}

// By flops, or by accesses.
PlacedPoint placed(const Recorded& recorded, const model::Point& point, const model::Reading& reading,
                   const Quantity& quantity, double amount) {
  PlacedPoint made;
  made.name = point.name;
  made.quantity = quantity;
  made.flop_per_byte = amount / (point.load_bytes + point.store_bytes);
  made.gflop_per_s = model::cluster_share(recorded.roofs, point) * amount / point.seconds / 1e9;
  made.lo = made.gflop_per_s * point.seconds / point.seconds_hi;
  made.hi = made.gflop_per_s * point.seconds / point.seconds_lo;
  made.from = point.from;
  made.simulated = point.simulated;
  made.levels = placed_levels(recorded, point, reading, amount);
  made.detail = detail_of(made, reading);
  return made;
}

// The points of the cluster that are, or are not, without flops.
template <typename Visit>
void for_points(const Recorded& recorded, int cluster, bool integer, const Visit& visit) {
  for (std::size_t i = 0; i < recorded.points.size(); ++i) {
    const model::Point& point = recorded.points[i];
    if (is_on_chart(recorded, i, cluster) && is_integer(point) == integer)
      visit(point, reading_on(recorded, i, cluster));
  }
}

}  // namespace

std::string shown_name(const PlacedPoint& point) {
  return point.share > 0 ? point.short_name + " " + percent_text(100 * point.share) : point.name;
}

Style symbol_of(const PlacedPoint& point, std::size_t i) {
  constexpr double whole = 3, least = 0.6;  // sizes
  Style style = point_style(i, point.simulated);
  if (point.share <= 0) return style;
  style.symbol = Symbol::ring;
  style.size = std::max(least, whole * std::sqrt(point.share));
  return style;
}

bool is_on_chart(const Recorded& recorded, std::size_t i, int cluster) {
  const model::Point& point = recorded.points[i];
  return (point.cluster < 0 || point.cluster == cluster) && !recorded.hides(point.name);
}

model::Reading reading_on(const Recorded& recorded, std::size_t i, int cluster) {
  const bool is_read = i < recorded.readings.size() && recorded.readings[i].cluster == cluster;
  return is_read ? recorded.readings[i] : model::read_point(recorded.roofs, recorded.points[i], cluster, {});
}

ClusterPoints points_of_cluster(const Recorded& recorded, int cluster) {
  ClusterPoints found;
  for_points(recorded, cluster, false, [&](const model::Point& point, const model::Reading& reading) {
    if (std::isfinite(reading.flop_per_byte) && reading.flop_per_byte > 0)
      found.drawn.push_back(placed(recorded, point, reading, flops_quantity, point.flops));
    else
      ++found.without_place;
  });
  for_points(recorded, cluster, true, [&](const auto&, const auto&) { ++found.integer; });
  return found;
}

ClusterPoints accesses_of_cluster(const Recorded& recorded, int cluster) {
  ClusterPoints found;
  for_points(recorded, cluster, true, [&](const model::Point& point, const model::Reading& reading) {
    const PlacedPoint made = placed(recorded, point, reading, accesses_quantity, point.accesses);
    if (std::isfinite(made.flop_per_byte))
      found.drawn.push_back(made);
    else
      ++found.without_place;
  });
  return found;
}

std::vector<PointLabel> add_points(Panel& panel, const std::vector<PlacedPoint>& points, const Box& area) {
  std::vector<PointLabel> labels;
  labels.reserve(points.size());
  for (const PlacedPoint& point : points) labels.push_back(label_of(point, panel, area));
  for (std::size_t i = 0; i < points.size(); ++i)
    add_level_dots(panel, points[i], symbol_of(points[i], i), area);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PlacedPoint& point = points[i];
    const PointLabel& label = labels[i];
    const Style style = symbol_of(point, i);
    if (label.outside()) {
      const Datum from =
          datum_at(panel, label.x - out_arrow * label.out_x, label.symbol_y - out_arrow * label.out_y);
      panel.series.push_back({point.name,
                              Mark::arrow,
                              style,
                              {from, datum_at(panel, label.x, label.symbol_y)},
                              1,
                              point.detail});
    } else {
      const Datum at{point.flop_per_byte, point.gflop_per_s, point.lo, point.hi};
      if (point.lo < point.hi) panel.series.push_back(part_of(point.name, Mark::intervals, style, {at}));
      panel.series.push_back({point.name, Mark::points, style, {at}, 1, point.detail});
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    add_binding_dot(panel, points[i], symbol_of(points[i], i), area);
  add_arrows(panel, points, labels, area);
  return labels;
}

bool is_interval_cut(const Panel& panel, const std::vector<PlacedPoint>& points,
                     const std::vector<PointLabel>& labels) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!labels[i].outside() && (points[i].lo < panel.y.from || points[i].hi > panel.y.to)) return true;
  }
  return false;
}

void add_point_labels(Chart& chart, Panel& panel, const std::vector<PlacedPoint>& points,
                      std::vector<PointLabel> labels, const Box& area) {
  std::vector<Box> texts;
  for (const Label& label : chart.labels) texts.push_back(box_of(label));
  std::vector<Box> marks = marks_in(panel);
  std::ranges::copy(level_lines(panel, points, area), std::back_inserter(marks));
  place_point_labels(labels, area, marks, texts);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointLabel& label = labels[i];
    Style thin = symbol_of(points[i], i);
    const double x = label.left ? label.to() : label.from();
    chart.labels.push_back(
        {label.text, x, label.y, label.left ? Align::right : Align::left, thin.colour, 12, true});
    chart.labels.back().groups = {points[i].name};
    // From the edge of the symbol, or from the middle of the arrow.
    const double from_x = label.x - out_arrow / 2 * label.out_x;
    const double from_y = label.symbol_y - out_arrow / 2 * label.out_y;
    const double to_x = label.end_x(), to_y = label.end_y();
    const double length = std::hypot(to_x - from_x, to_y - from_y);
    const double share = label.outside() ? 0 : std::min(1.0, 5 * thin.size / length);
    thin.width = 0.6;
    const Datum begin = datum_at(panel, from_x + share * (to_x - from_x), from_y + share * (to_y - from_y));
    panel.series.push_back(part_of(points[i].name, Mark::line, thin, {begin, datum_at(panel, to_x, to_y)}));
  }
  add_level_labels(chart, panel, points, area);
}

}  // namespace gable::charts
