#include "cli/plot_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/plot_labels.hpp"

namespace gable::cli {

namespace {

constexpr std::size_t longest_name = 32;  // characters of a label; the table has the whole name
constexpr double beside = 9;              // between a symbol and its label, in points of the picture

struct PointLabel {
  double x, y, width;  // in points of the picture; x of the symbol
  bool left = false;   // of the symbol
  double from() const { return left ? x - beside - width : x + beside; }
  double to() const { return left ? x - beside : x + beside + width; }
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
    PlacedPoint placed{point.name, reading.flop_per_byte, reading.gflop_per_s};
    placed.lo = placed.hi = reading.gflop_per_s;
    if (point.seconds_hi < 2 * point.seconds) {  // a wider interval, of two runs for example, says nothing
      placed.lo *= point.seconds / point.seconds_hi;
      placed.hi *= point.seconds / point.seconds_lo;
    }
    found.drawn.push_back(placed);
  }
  return found;
}

void tell_points(Variables& variables, const std::vector<PlacedPoint>& points, const PointArea& area) {
  const double width = (area.x_to - area.x_from) * area.x_points;
  const double height = (area.y_to - area.y_from) * area.y_points;
  std::vector<PointLabel> labels;
  std::vector<std::string> names;
  for (const PlacedPoint& point : points) {
    names.push_back(shortened(point.name, longest_name));
    PointLabel label{(std::log2(point.flop_per_byte) - area.x_from) * area.x_points,
                     (std::log2(point.gflop_per_s) - area.y_from) * area.y_points, text_width(names.back())};
    label.left = label.to() > width && label.x > width / 2;
    labels.push_back(label);
  }
  for (const auto& column : columns_of(labels)) spread_column(labels, column, height);
  variables["points"] = static_cast<double>(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto set = [&](const char* what, const std::variant<double, std::string>& value) {
      variables[fmt::format("point_{}_{}", what, i + 1)] = value;
    };
    const PlacedPoint& point = points[i];
    const PointLabel& label = labels[i];
    set("x", point.flop_per_byte);
    set("y", point.gflop_per_s);
    set("lo", point.lo);
    set("hi", point.hi);
    set("name", names[i]);
    set("left", label.left ? 1.0 : 0.0);
    set("label_x", std::exp2(area.x_from + (label.left ? label.to() : label.from()) / area.x_points));
    set("label_y", std::exp2(area.y_from + label.y / area.y_points));
  }
}

}  // namespace gable::cli
