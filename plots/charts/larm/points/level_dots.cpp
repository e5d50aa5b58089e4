
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "plots/charts/larm/points/point_levels.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

constexpr double edge_gap = 4;  // of arrows, as those of points
constexpr double edge_arrow = 20;

bool is_at_its_height(const Panel& panel, const PlacedPoint& point) {
  const double share = panel.y.share_of(point.gflop_per_s);
  return share >= 0 && share <= 1;
}

bool is_in(const Panel& panel, const PlacedLevel& level, const Box& area) {
  const double x = panel.page_x(level.flop_per_byte);
  return x >= area.left && x <= area.right;
}

// From the lowest to the highest intensity, inside the area and up to the edge of the symbol, on the page;
// nothing if there is no line.
struct Reach {
  double from, to, y;
};
std::optional<Reach> reach_of(const Panel& panel, const PlacedPoint& point, const Box& area) {
  if (point.levels.empty() || !is_at_its_height(panel, point)) return {};
  const auto [least, most] = std::ranges::minmax(point.levels, {}, &PlacedLevel::flop_per_byte);
  const auto edge = [](const PlacedLevel& level) { return is_first_cache(level.level) ? symbol_radius : 0; };
  const double from = std::clamp(panel.page_x(least.flop_per_byte), area.left, area.right) + edge(least);
  const double to = std::clamp(panel.page_x(most.flop_per_byte), area.left, area.right) - edge(most);
  if (to <= from) return {};
  return Reach{from, to, panel.page_y(point.gflop_per_s)};
}

// A stroke or an arrow at the height of the point.
void add_level(Panel& panel, Mark mark, const PlacedPoint& point, const Style& style, double from,
               double to) {
  const auto at = [&](double x) {
    return Datum{panel.x.value_at((x - panel.area.left) / panel.area.width), point.gflop_per_s};
  };
  panel.series.push_back(part_of(point.name, mark, style, {at(from), at(to)}));
}

void add_dot(Panel& panel, const PlacedPoint& point, const PlacedLevel& level, Style style) {
  constexpr double dot = 0.55, larger = 0.75, around_symbol = 2;
  const bool is_symbol = is_first_cache(level.level);
  if (is_symbol && !level.binds) return;
  const Datum at{level.flop_per_byte, point.gflop_per_s};
  style.dash.clear();
  style.symbol = level.binds && !is_symbol ? Symbol::disc : Symbol::ring;
  style.size = is_symbol ? around_symbol : level.binds ? larger : dot;
  if (!level.binds) {
    Style white = style;
    white.colour = 0xffffff;
    white.symbol = Symbol::disc;
    panel.series.push_back(part_of(point.name, Mark::points, white, {at}));
  }
  const std::string detail =
      fmt::format("{} {} at {:.3g} {} of {}{}", three_digits(point.gflop_per_s), point.quantity.rate,
                  level.flop_per_byte, point.quantity.per_byte, level.label, level.binds ? "; binds" : "");
  panel.series.push_back(
      {level_name(point.name, level.label), Mark::points, style, {at}, 1, detail, point.name});
}

// The one that binds at the end, in front of the others.
std::vector<PlacedLevel> binding_last(std::vector<PlacedLevel> levels) {
  std::ranges::stable_partition(levels, [](const PlacedLevel& level) { return !level.binds; });
  return levels;
}

// How many lines of the panel the label covers, and above or below how many other dots of its point it
// stands.
int covered(const Panel& panel, const PlacedPoint& point, const PlacedLevel& own, const Box& box) {
  return lines_through(panel, box) +
         static_cast<int>(std::ranges::count_if(point.levels, [&](const PlacedLevel& level) {
           const double x = panel.page_x(level.flop_per_byte);
           return level.level != own.level && x >= box.left && x <= box.right;
         }));
}

// The best place for the label of a dot, centred or to one side, above or below: where `badness` of its box
// is least. Nothing if it would always cover something that is taken.
template <typename Badness>
std::optional<Label> placed_beside(Label label, double away, const Box& area, const std::vector<Box>& taken,
                                   const Badness& badness) {
  constexpr double apart = 5, aside = 3;
  const double x = label.x, y = label.y;
  std::optional<Label> best;
  int least = 0;
  for (const Align align : {Align::center, Align::left, Align::right}) {
    for (const double side : {-1, 1}) {
      label.align = align;
      label.x = align == Align::right ? x + aside : align == Align::left ? x - aside : x;
      label.y = y + side * away;
      Box box = box_of(label);
      box.left -= apart;
      box.right += apart;
      const bool inside = box.left >= area.left && box.right <= area.right && box.top >= area.top &&
                          box.bottom <= area.bottom;
      if (!inside || std::ranges::any_of(taken, [&](const Box& one) { return one.meets(box); })) continue;
      const int here = badness(box);
      if (best && here >= least) continue;
      least = here;
      best = label;
    }
  }
  return best;
}

}  // namespace

void add_level_dots(Panel& panel, const PlacedPoint& point, const Style& style, const Box& area) {
  if (!is_at_its_height(panel, point)) return;
  Style thin = style;
  thin.width = 0.8;
  if (const auto reach = reach_of(panel, point, area))
    add_level(panel, Mark::line, point, thin, reach->from, reach->to);
  bool left = false, right = false;
  for (const PlacedLevel& level : point.levels) {
    if (is_first_cache(level.level)) continue;
    if (!is_in(panel, level, area)) {
      (panel.page_x(level.flop_per_byte) < area.left ? left : right) = true;
    } else if (!level.binds) {
      add_dot(panel, point, level, style);
    }
  }
  const double from = area.left + edge_gap, to = area.right - edge_gap;
  if (left) add_level(panel, Mark::arrow, point, style, from + edge_arrow, from);
  if (right) add_level(panel, Mark::arrow, point, style, to - edge_arrow, to);
}

void add_binding_dot(Panel& panel, const PlacedPoint& point, const Style& style, const Box& area) {
  if (!is_at_its_height(panel, point)) return;
  for (const PlacedLevel& level : point.levels) {
    if (level.binds && is_in(panel, level, area)) add_dot(panel, point, level, style);
  }
}

std::vector<Box> level_lines(const Panel& panel, const std::vector<PlacedPoint>& points, const Box& area) {
  constexpr double half = 2;
  std::vector<Box> boxes;
  for (const PlacedPoint& point : points) {
    if (const auto reach = reach_of(panel, point, area))
      boxes.push_back({reach->from, reach->to, reach->y - half, reach->y + half});
  }
  return boxes;
}

void add_level_labels(Chart& chart, const Panel& panel, const std::vector<PlacedPoint>& points,
                      const Box& area) {
  constexpr double small = 10, usual = 12, above_dot = 6, above_symbol = 8, above_circle = 13;
  std::vector<Box> taken = marks_in(panel);
  std::ranges::copy(level_lines(panel, points, area), std::back_inserter(taken));
  for (const Label& label : chart.labels) taken.push_back(box_of(label));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PlacedPoint& point = points[i];
    if (!is_at_its_height(panel, point)) continue;
    std::vector<PlacedLevel> levels = binding_last(point.levels);
    std::ranges::reverse(levels);
    for (const PlacedLevel& level : levels) {
      const bool symbol = is_first_cache(level.level);
      if (symbol && !is_in(panel, level, area)) continue;
      const double beyond = edge_gap + edge_arrow / 2;  // the middle of the arrow
      const double x = std::clamp(panel.page_x(level.flop_per_byte), area.left + beyond, area.right - beyond);
      Label label{level.label, x, panel.page_y(point.gflop_per_s), Align::center};
      label.colour = symbol_of(point, i).colour;
      label.size = chart.column ? usual : small;
      label.on_white = true;
      label.groups = {point.name};
      const double over = !symbol ? above_dot : level.binds ? above_circle : above_symbol;
      const auto badness = [&](const Box& box) { return covered(panel, point, level, box); };
      if (const auto placed = placed_beside(label, over + label.size / 2, area, taken, badness)) {
        taken.push_back(box_of(*placed));
        chart.labels.push_back(*placed);
      }
    }
  }
}

bool is_any_level_outside(const Panel& panel, const std::vector<PlacedPoint>& points, const Box& area) {
  return std::ranges::any_of(points, [&](const PlacedPoint& point) {
    return is_at_its_height(panel, point) && std::ranges::any_of(point.levels, [&](const PlacedLevel& level) {
             return !is_first_cache(level.level) && !is_in(panel, level, area);
           });
  });
}

}  // namespace gable::charts
