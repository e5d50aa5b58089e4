#include "plots/charts/larm/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/points/headroom.hpp"
#include "plots/charts/larm/point_labels.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

constexpr std::size_t longest_name = 32;  // characters of a label; the table has the whole name
constexpr double from_edge = 4;           // distance of an arrow that points beyond the area

// Shortens a text of more than `most` characters in the middle, because runs differ at either end.
std::string shortened(const std::string& utf8, std::size_t most) {
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; };
  std::vector<std::size_t> at;  // of each character
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    if (begins(utf8[i])) at.push_back(i);
  }
  if (at.size() <= most) return utf8;
  const std::size_t head = most / 2, tail = most - head - 1;
  return utf8.substr(0, at[head]) + "…" + utf8.substr(at[at.size() - tail]);
}

// The name of a point, so short that it has room on one side of the point.
std::string name_within(const std::string& name, double width) {
  constexpr double share = 0.45;  // of the chart's width
  constexpr std::size_t shortest_name = 8;
  std::size_t most = longest_name;
  while (most > shortest_name && text_width(shortened(name, most)) > share * width) --most;
  return shortened(name, most);
}

// An arrow from one symbol to another, in points of the picture, clear of both.
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

// Of any size: few flops per byte, or many.
std::string figure_text(double value) {
  return value >= 100 && value < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

PointLabel label_of(const PlacedPoint& point, const PointArea& area, double width, double height) {
  PointLabel label;
  label.text = name_within(point.name, width);
  const double x = (std::log2(point.flop_per_byte) - area.x_from) * area.x_points;
  const double y = (std::log2(point.gflop_per_s) - area.y_from) * area.y_points;
  label.x = std::clamp(x, from_edge, width - from_edge);
  label.symbol_y = std::clamp(y, from_edge, height - from_edge);
  const double away = std::hypot(x - label.x, y - label.symbol_y);
  if (away > 0) {
    label.out_x = (x - label.x) / away;
    label.out_y = (y - label.symbol_y) / away;
    label.text += fmt::format(": {} flop/byte, {} GFlop/s", figure_text(point.flop_per_byte),
                              figure_text(point.gflop_per_s));
  }
  label.y =
      std::clamp(label.symbol_y - out_arrow / 2 * label.out_y, line_height / 2, height - line_height / 2);
  label.width = text_width(label.text);
  const auto height_of = [&](double gflop_per_s) {  // the interval of two runs may be wider than the chart
    return std::clamp((std::log2(gflop_per_s) - area.y_from) * area.y_points, 0.0, height);
  };
  label.below = !label.outside() && std::log2(point.lo) < area.y_from;
  label.above = !label.outside() && std::log2(point.hi) > area.y_to;
  label.lo = label.outside() ? label.symbol_y : height_of(point.lo);
  label.hi = label.outside() ? label.symbol_y : height_of(point.hi);
  return label;
}

// Draws an arrow to each derived point; without space for it, the label names the origin if it then still
// fits on one side of its symbol, in an area of `width`.
std::vector<std::optional<Arrow>> arrows_of(const std::vector<PlacedPoint>& points,
                                            std::vector<PointLabel>& labels, double width) {
  constexpr double to_symbol = 20;
  std::vector<std::optional<Arrow>> arrows(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t from = 0; from < points.size(); ++from) {
      if (points[i].from.empty() || points[from].name != points[i].from) continue;
      arrows[i] = arrow_between(labels[from], labels[i]);
      if (arrows[i]) continue;
      const std::string text = labels[i].text + " (from " + shortened(points[from].name, longest_name) + ")";
      if (text_width(text) + to_symbol > std::max(labels[i].x, width - labels[i].x)) continue;
      labels[i].text = text;
      labels[i].width = text_width(text);
    }
  }
  return arrows;
}

// Where the point stands, how much faster it could be, and why.
std::string detail_of(const model::Reading& reading) {
  std::string text = fmt::format("{} GFlop/s at {:.3g} flop/byte, {} GB/s", three_digits(reading.gflop_per_s),
                                 reading.flop_per_byte, three_digits(reading.gb_per_s));
  if (!reading.roof.empty())
    text += fmt::format("; roof: {}; headroom {}", reading.roof, model::headroom_text(reading));
  return reading.cause.empty() ? text : text + "; " + reading.cause;
}

}  // namespace

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
  for (std::size_t i = 0; i < recorded.points.size(); ++i) {
    const model::Point& point = recorded.points[i];
    if (!is_on_chart(recorded, i, cluster)) continue;
    const model::Reading reading = reading_on(recorded, i, cluster);
    if (!std::isfinite(reading.flop_per_byte) || reading.flop_per_byte <= 0) {
      ++found.without_place;
      continue;
    }
    found.drawn.push_back({point.name, reading.flop_per_byte, reading.gflop_per_s,
                           reading.gflop_per_s * point.seconds / point.seconds_hi,
                           reading.gflop_per_s * point.seconds / point.seconds_lo, point.from,
                           (point.simulated ? "simulated; " : "") + detail_of(reading), point.simulated});
  }
  return found;
}

std::vector<PointLabel> label_points(const std::vector<PlacedPoint>& points, const PointArea& area) {
  const double width = (area.x_to - area.x_from) * area.x_points;
  const double height = (area.y_to - area.y_from) * area.y_points;
  std::vector<PointLabel> labels;
  labels.reserve(points.size());
  for (const PlacedPoint& point : points) labels.push_back(label_of(point, area, width, height));
  arrows_of(points, labels, width);
  place_point_labels(labels, width, height);
  return labels;
}

EdgesOfPoints add_points(Chart& chart, Panel& panel, const std::vector<PlacedPoint>& points,
                         const PointArea& area) {
  std::vector<PointLabel> labels = label_points(points, area);
  const auto x_of = [&](double x) { return std::exp2(area.x_from + x / area.x_points); };
  const auto y_of = [&](double y) { return std::exp2(area.y_from + y / area.y_points); };
  const auto datum = [&](double x, double y) { return Datum{x_of(x), y_of(y)}; };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PlacedPoint& point = points[i];
    const PointLabel& label = labels[i];
    const Style style = point_style(i, point.simulated);
    const double name_x = label.left ? label.to() : label.from();
    Style thin = style;
    thin.width = 0.6;
    if (label.outside()) {
      const Datum middle =
          datum(label.x - out_arrow / 2 * label.out_x, label.symbol_y - out_arrow / 2 * label.out_y);
      panel.series.push_back({"", Mark::line, thin, {middle, datum(name_x, label.y)}, 1, "", point.name});
      const Datum from = datum(label.x - out_arrow * label.out_x, label.symbol_y - out_arrow * label.out_y);
      panel.series.push_back(
          {point.name, Mark::arrow, style, {from, datum(label.x, label.symbol_y)}, 1, point.detail});
    } else {
      const Datum at{point.flop_per_byte, point.gflop_per_s, point.lo, point.hi};
      panel.series.push_back({"", Mark::line, thin, {at, datum(name_x, label.y)}, 1, "", point.name});
      panel.series.push_back({"", Mark::intervals, style, {at}, 1, "", point.name});
      panel.series.push_back({point.name, Mark::points, style, {at}, 1, point.detail});
    }
    const double page_x = panel.page_x(x_of(name_x)), page_y = panel.page_y(y_of(label.y));
    chart.labels.push_back(
        {label.text, page_x, page_y, label.left ? Align::right : Align::left, style.colour, 12, true});
    chart.labels.back().groups = {point.name};
  }
  std::vector<PointLabel> places = labels;
  const auto arrows = arrows_of(points, places, (area.x_to - area.x_from) * area.x_points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!arrows[i]) continue;
    auto [from_x, from_y, to_x, to_y] = *arrows[i];
    const Style shaft = point_style(i, points[i].simulated);
    if (points[i].simulated) {  // a dashed line, and an arrow as short as its head
      const double share = arrow_head / std::hypot(to_x - from_x, to_y - from_y);
      const Datum from = datum(from_x, from_y);
      from_x = to_x - share * (to_x - from_x);
      from_y = to_y - share * (to_y - from_y);
      panel.series.push_back({"", Mark::line, shaft, {from, datum(from_x, from_y)}, 1, "", points[i].name});
    }
    panel.series.push_back(
        {"", Mark::arrow, shaft, {datum(from_x, from_y), datum(to_x, to_y)}, 1, "", points[i].name});
  }
  return {std::ranges::any_of(labels, &PointLabel::outside),
          std::ranges::any_of(labels, [](const PointLabel& label) { return label.below || label.above; })};
}

}  // namespace gable::charts
