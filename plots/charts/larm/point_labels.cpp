#include "plots/charts/larm/point_labels.hpp"

#include <algorithm>

#include "plots/charts/chart.hpp"
#include "plots/charts/labels.hpp"

namespace gable::charts {

namespace {

constexpr double beside = 9;       // between a symbol and its label
constexpr double clear = 7;        // between a label and another point's bar or symbol
constexpr double symbol_half = 7;  // of a symbol's height

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

void spread_column(std::vector<PointLabel>& labels, std::vector<std::size_t> column,
                   const std::vector<double>& wanted_y, double height) {
  std::sort(column.begin(), column.end(),
            [&](std::size_t a, std::size_t b) { return wanted_y[a] < wanted_y[b]; });
  std::vector<double> wanted;
  for (const std::size_t i : column) wanted.push_back(wanted_y[i]);
  const double room = height / static_cast<double>(column.size());
  const double gap = std::min(line_height, room * 0.99);
  const std::vector<double> placed = spread(wanted, gap, gap / 2, height - gap / 2);
  for (std::size_t i = 0; i < column.size(); ++i) labels[column[i]].y = placed[i];
}

// Whether the label lies on the interval or the symbol of the other point.
bool lies_on(const PointLabel& label, const PointLabel& other) {
  const double lo = std::min(other.lo, other.symbol_y - symbol_half);
  const double hi = std::max(other.hi, other.symbol_y + symbol_half);
  return other.x > label.from() - clear && other.x < label.to() + clear && lo < label.y + line_height / 2 &&
         hi > label.y - line_height / 2;
}

// For a point beyond the area, whose text is long: the height nearest to `label.y` at which it stands beside
// its arrow and covers no other point; label.y itself where there is none.
double height_beside_arrow(const std::vector<PointLabel>& labels, const PointLabel& label, double height) {
  constexpr double apart = line_height / 2 + 4;  // of the label's middle from another symbol's edge
  std::vector<double> heights = {label.y};
  for (const PointLabel& other : labels) {
    if (&other == &label) continue;
    heights.push_back(std::max(other.hi, other.symbol_y + symbol_half) + apart);
    heights.push_back(std::min(other.lo, other.symbol_y - symbol_half) - apart);
  }
  const auto is_taken = [&](double y) {
    PointLabel there = label;
    there.y = y;
    return y < line_height / 2 || y > height - line_height / 2 ||
           std::ranges::any_of(
               labels, [&](const PointLabel& other) { return &other != &label && lies_on(there, other); });
  };
  std::erase_if(heights, is_taken);
  if (heights.empty()) return label.y;
  return std::ranges::min(heights, {}, [&](double y) { return std::abs(y - label.y); });
}

// Moves the label away from its symbol until it covers no other point; false if there is not enough space.
bool step_aside(std::vector<PointLabel>& labels, std::size_t i, double width) {
  PointLabel& label = labels[i];
  const auto in_the_way = [&](const PointLabel& other) { return &other != &label && lies_on(label, other); };
  for (auto other = std::ranges::find_if(labels, in_the_way); other != labels.end();
       other = std::ranges::find_if(labels, in_the_way)) {
    label.shift += clear + 0.5 + (label.left ? label.to() - other->x : other->x - label.from());
    if (label.from() < 0 || label.to() > width) return false;
  }
  return true;
}

// Returns whether it was moved. If neither side has enough space, it is placed as if there were no others.
bool avoid_bars(std::vector<PointLabel>& labels, std::size_t i, double width) {
  PointLabel& label = labels[i];
  const PointLabel before = label;
  if (step_aside(labels, i, width)) return label.shift != before.shift;
  label.left = !before.left;
  label.shift = 0;
  const bool has_room = label.from() >= 0 && label.to() <= width;
  if (has_room && step_aside(labels, i, width)) return true;
  label.left = before.left;
  label.shift = before.shift;
  return false;
}

}  // namespace

double PointLabel::from() const {
  return left ? to() - width : x + beside + shift + std::max(0.0, -out_x) * out_arrow;
}

double PointLabel::to() const {
  return left ? x - beside - shift - std::max(0.0, out_x) * out_arrow : from() + width;
}

void place_point_labels(std::vector<PointLabel>& labels, double width, double height) {
  constexpr int passes =
      8;  // each moves some labels aside, which changes the groups that are spread together
  std::vector<double> wanted_y;
  for (PointLabel& label : labels) label.left = label.to() > width && label.x > width / 2;
  for (const PointLabel& label : labels)
    wanted_y.push_back(label.outside() ? height_beside_arrow(labels, label, height) : label.y);
  for (int pass = 0; pass < passes; ++pass) {
    for (const auto& column : columns_of(labels)) spread_column(labels, column, wanted_y, height);
    bool moved = false;
    for (std::size_t i = 0; i < labels.size(); ++i) moved = avoid_bars(labels, i, width) || moved;
    if (!moved) return;
  }
  for (const auto& column : columns_of(labels)) spread_column(labels, column, wanted_y, height);
}

}  // namespace gable::charts
