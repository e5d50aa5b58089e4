#include "cli/plot_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cli/plot_labels.hpp"

namespace gable::cli {

namespace {

constexpr std::size_t longest_name = 32;  // characters of a label; the table has the whole name
constexpr double beside = 9;              // between a symbol and its label, in points of the picture
constexpr double from_edge = 4;           // of an arrow that shows where a point lies beyond the area
constexpr double out_arrow = 26;          // its length

struct PointLabel {
  std::string text;
  double x = 0, y = 0, width = 0;  // in points of the picture; x of the symbol
  double symbol_y = 0;
  double out_x = 0, out_y = 0;  // unit vector to where the point is, if it is beyond the area
  bool left = false;            // of the symbol
  bool outside() const { return out_x != 0 || out_y != 0; }
  double from() const { return left ? to() - width : x + beside + std::max(0.0, -out_x) * out_arrow; }
  double to() const { return left ? x - beside - std::max(0.0, out_x) * out_arrow : from() + width; }
};

// Without the middle where it is longer than `most` characters; what tells runs apart stands at both ends.
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

// Labels whose columns overlap, directly or through others, are spread in height together.
std::vector<std::vector<std::size_t>> columns_of(const std::vector<PointLabel>& labels) {
  std::vector<std::size_t> order(labels.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return labels[a].from() < labels[b].from(); });
  std::vector<std::vector<std::size_t>> columns;
  double reach = 0;
  for (const std::size_t i : order) {
    if (columns.empty() || labels[i].from() > reach) columns.emplace_back();
    columns.back().push_back(i);
    reach = columns.back().size() == 1 ? labels[i].to() : std::max(reach, labels[i].to());
  }
  return columns;
}

void spread_column(std::vector<PointLabel>& labels, std::vector<std::size_t> column, double height) {
  std::sort(column.begin(), column.end(),
            [&](std::size_t a, std::size_t b) { return labels[a].y < labels[b].y; });
  std::vector<double> wanted;
  for (const std::size_t i : column) wanted.push_back(labels[i].y);
  const double room = height / static_cast<double>(column.size());
  const double gap = std::min(line_height, room * 0.99);
  const std::vector<double> placed = spread(wanted, gap, gap / 2, height - gap / 2);
  for (std::size_t i = 0; i < column.size(); ++i) labels[column[i]].y = placed[i];
}

// An arrow from one symbol to another, in points of the picture, clear of both.
struct Arrow {
  double from_x, from_y, to_x, to_y;
};
constexpr double round_symbol = 8, shortest = 10;

std::optional<Arrow> arrow_between(const PointLabel& from, const PointLabel& to) {
  const double dx = to.x - from.x, dy = to.symbol_y - from.symbol_y, length = std::hypot(dx, dy);
  if (length < 2 * round_symbol + shortest) return {};
  const double share = round_symbol / length;
  return Arrow{from.x + share * dx, from.symbol_y + share * dy, to.x - share * dx, to.symbol_y - share * dy};
}

PointLabel label_of(const PlacedPoint& point, const PointArea& area, double width, double height) {
  PointLabel label;
  label.text = shortened(point.name, longest_name);
  const double x = (std::log2(point.flop_per_byte) - area.x_from) * area.x_points;
  const double y = (std::log2(point.gflop_per_s) - area.y_from) * area.y_points;
  label.x = std::clamp(x, from_edge, width - from_edge);
  label.symbol_y = std::clamp(y, from_edge, height - from_edge);
  const double away = std::hypot(x - label.x, y - label.symbol_y);
  if (away > 0) {
    label.out_x = (x - label.x) / away;
    label.out_y = (y - label.symbol_y) / away;
    label.text += fmt::format(": {:.2g} flop/byte, {:.2g} GFlop/s", point.flop_per_byte, point.gflop_per_s);
  }
  label.y =
      std::clamp(label.symbol_y - out_arrow / 2 * label.out_y, line_height / 2, height - line_height / 2);
  label.width = text_width(label.text);
  label.left = label.to() > width && label.x > width / 2;
  return label;
}

// Of each point, where one leads to it; the label of one that has no room says where it comes from.
std::vector<std::optional<Arrow>> arrows_of(const std::vector<PlacedPoint>& points,
                                            std::vector<PointLabel>& labels, double width) {
  std::vector<std::optional<Arrow>> arrows(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t from = 0; from < points.size(); ++from) {
      if (points[i].from.empty() || points[from].name != points[i].from) continue;
      arrows[i] = arrow_between(labels[from], labels[i]);
      if (arrows[i]) continue;
      labels[i].text += " (from " + shortened(points[from].name, longest_name) + ")";
      labels[i].width = text_width(labels[i].text);
      labels[i].left = labels[i].to() > width && labels[i].x > width / 2;
    }
  }
  return arrows;
}

}  // namespace

ClusterPoints points_of_cluster(const Recorded& recorded, int cluster) {
  ClusterPoints found;
  for (const model::Point& point : recorded.points) {
    if (point.cluster >= 0 && point.cluster != cluster) continue;
    const model::Reading reading = model::read_point(recorded.roofs, point, cluster, {});
    if (!std::isfinite(reading.flop_per_byte) || reading.flop_per_byte <= 0) {
      ++found.without_place;
      continue;
    }
    found.drawn.push_back({point.name, reading.flop_per_byte, reading.gflop_per_s,
                           reading.gflop_per_s * point.seconds / point.seconds_hi,
                           reading.gflop_per_s * point.seconds / point.seconds_lo, point.from});
  }
  return found;
}

bool tell_points(Variables& variables, const std::vector<PlacedPoint>& points, const PointArea& area) {
  const double width = (area.x_to - area.x_from) * area.x_points;
  const double height = (area.y_to - area.y_from) * area.y_points;
  std::vector<PointLabel> labels;
  labels.reserve(points.size());
  for (const PlacedPoint& point : points) labels.push_back(label_of(point, area, width, height));
  const auto arrows = arrows_of(points, labels, width);
  for (const auto& column : columns_of(labels)) spread_column(labels, column, height);
  variables["points"] = static_cast<double>(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto set = [&](const char* what, const std::variant<double, std::string>& value) {
      variables[fmt::format("point_{}_{}", what, i + 1)] = value;
    };
    const PlacedPoint& point = points[i];
    const PointLabel& label = labels[i];
    const auto set_place = [&](const std::string& what, double x, double y) {
      set((what + "x").c_str(), std::exp2(area.x_from + x / area.x_points));
      set((what + "y").c_str(), std::exp2(area.y_from + y / area.y_points));
    };
    set("outside", label.outside() ? 1.0 : 0.0);
    if (label.outside()) {
      set_place("", label.x, label.symbol_y);
      set_place("out_", label.x - out_arrow * label.out_x, label.symbol_y - out_arrow * label.out_y);
    } else {
      set("x", point.flop_per_byte);
      set("y", point.gflop_per_s);
      set("lo", std::max(point.lo, std::exp2(area.y_from)));  // that of two runs may be wider than the chart
      set("hi", std::min(point.hi, std::exp2(area.y_to)));
    }
    set("name", label.text);
    set("left", label.left ? 1.0 : 0.0);
    set_place("label_", label.left ? label.to() : label.from(), label.y);
    set("arrow", arrows[i] ? 1.0 : 0.0);
    if (!arrows[i]) continue;
    set_place("from_", arrows[i]->from_x, arrows[i]->from_y);
    set_place("to_", arrows[i]->to_x, arrows[i]->to_y);
  }
  return std::ranges::any_of(labels, &PointLabel::outside);
}

}  // namespace gable::cli
