
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/sorting.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

constexpr std::size_t longest_function = 44;  // characters, with its program and its share

// A ring of a legend is as large as its row.
Style legend_symbol(const PlacedPoint& point, std::size_t i) {
  Style style = symbol_of(point, i);
  style.size = std::min(style.size, 1.1);
  return style;
}

constexpr double beside = 9;  // between a symbol and its label

std::ptrdiff_t count_met(const std::vector<Box>& boxes, const Box& box) {
  return std::ranges::count_if(boxes, [&](const Box& one) { return one.meets(box); });
}

// How many of the boxes the line from the symbol to the label crosses; its own mark is always one. The label
// of a point beyond the area stands beside its arrow.
std::ptrdiff_t crossed(const std::vector<Box>& boxes, const PointLabel& label) {
  if (label.outside()) return 0;
  constexpr double step = 4;
  const double dx = label.end_x() - label.x, dy = label.end_y() - label.symbol_y;
  const double count = std::ceil(std::hypot(dx, dy) / step);
  return std::ranges::count_if(boxes, [&](const Box& box) {
    for (double k = 0; k < count; ++k) {
      const double x = label.x + dx * k / count, y = label.symbol_y + dy * k / count;
      if (box.meets({x, x, y, y})) return true;
    }
    return false;
  });
}

// How bad this place is: far from the symbol, worse if further, beyond the sides of the area, and what is
// covered or crossed.
double badness(const PointLabel& label, double wanted_y, const Box& area, const std::vector<Box>& marks,
               const std::vector<Box>& texts, double enough) {
  constexpr double on_mark = 1e7, on_text = 1e5, beyond = 300, across = 40, other_side = 10, bearable = 30;
  const double away = 1.5 * label.shift + std::abs(label.y - wanted_y);
  const double cut = std::max(0.0, area.left - label.from()) + std::max(0.0, label.to() - area.right);
  double sum = away * away / bearable + beyond * cut + (label.left != label.prefers_left ? other_side : 0);
  if (sum >= enough) return sum;
  sum += on_mark * static_cast<double>(count_met(marks, label.box()));
  sum += on_text * static_cast<double>(count_met(texts, label.box()));
  return sum >= enough ? sum
                       : sum + across * static_cast<double>(crossed(marks, label) + crossed(texts, label));
}

// A label that is longer than the room on its side moves back into the area; it then stands above its symbol,
// or below.
void slide_into(PointLabel& label, const Box& area) {
  label.slide = 0;
  if (label.shift > 0) return;
  const Box box = label.box();
  label.slide = label.left ? -std::clamp(area.left - box.left, 0.0, std::max(0.0, area.right - box.right))
                           : std::clamp(box.right - area.right, 0.0, std::max(0.0, box.left - area.left));
}

// Moves the label to the best of all places in the area, and returns how bad that is.
double place(PointLabel& label, const Box& area, const std::vector<Box>& marks,
             const std::vector<Box>& texts) {
  constexpr double step = line_height / 4;
  constexpr double nowhere = 1e10;
  const double wanted_y = label.y;
  double least = nowhere;
  PointLabel best = label;
  const auto try_here = [&] {
    const Box box = label.box();
    if (box.top < area.top || box.bottom > area.bottom) return;
    const double here = badness(label, wanted_y, area, marks, texts, least);
    if (here >= least) return;
    least = here;
    best = label;
  };
  for (const bool left : {false, true}) {
    label.left = left;
    for (label.shift = 0; label.shift < area.right - area.left; label.shift += step) {
      slide_into(label, area);
      for (double dy = 0; dy < area.bottom - area.top; dy += step) {
        for (const double y : {wanted_y - dy, wanted_y + dy}) {
          label.y = y;
          try_here();
        }
      }
    }
  }
  label = best;
  return least;
}

// Places one label after the other; the first ones get the best places.
double place_in_order(std::vector<PointLabel>& labels, const std::vector<std::size_t>& order, const Box& area,
                      const std::vector<Box>& marks, std::vector<Box> texts) {
  double sum = 0;
  for (const std::size_t i : order) {
    sum += place(labels[i], area, marks, texts);
    texts.push_back(labels[i].box());
  }
  return sum;
}

}  // namespace

void number_if_many(std::vector<PlacedPoint>& points) {
  if (points.size() <= most_names) return;
  int number = 0;
  for (PlacedPoint& point : points) point.number = ++number;
}

std::vector<LegendEntry> legend_of(const std::vector<PlacedPoint>& points) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PlacedPoint& point = points[i];
    if (point.number == 0) continue;
    entries.push_back(
        {fmt::format("{} {}", point.number,
                     shortened(shown_name(point), point.share > 0 ? longest_function : longest_name)),
         Mark::points, legend_symbol(point, i)});
  }
  return entries;
}

double PointLabel::from() const {
  return left ? to() - width : x + beside + shift + std::max(0.0, -out_x) * out_arrow - slide;
}

double PointLabel::to() const {
  return left ? x - beside - shift - std::max(0.0, out_x) * out_arrow - slide : from() + width;
}

double PointLabel::end_x() const {
  if (slide != 0) return std::clamp(x, from(), to());
  return left ? to() : from();
}

double PointLabel::end_y() const {
  if (slide == 0) return y;
  return y + (symbol_y > y ? line_height : -line_height) / 2;
}

Box PointLabel::box() const {
  constexpr double apart = 3;
  return {from() - apart, to() + apart, y - line_height / 2, y + line_height / 2};
}

void place_point_labels(std::vector<PointLabel>& labels, const Box& area, const std::vector<Box>& marks,
                        const std::vector<Box>& texts) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<PointLabel> best = labels;
  double least = place_in_order(best, order, area, marks, texts);
  for (const bool descending : {false, true}) {
    for (double PointLabel::*key : {&PointLabel::x, &PointLabel::symbol_y}) {
      sort_by(order, [&](std::size_t i) { return labels[i].*key * (descending ? -1 : 1); });
      std::vector<PointLabel> placed = labels;
      const double sum = place_in_order(placed, order, area, marks, texts);
      if (sum >= least) continue;
      least = sum;
      best = std::move(placed);
    }
  }
  labels = std::move(best);
}

}  // namespace gable::charts
