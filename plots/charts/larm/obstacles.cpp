#include "plots/charts/larm/obstacles.hpp"

#include <algorithm>
#include <cmath>

namespace gable::charts {

namespace {

// The symbol or the interval at this place; a symbol of size 1 is about 10 points wide.
Box box_at(const Panel& panel, const Series& series, const Datum& at) {
  constexpr double radius = 5, half_cap = 3;
  const double x = panel.page_x(at.x);
  if (series.mark == Mark::intervals) {
    const double above = panel.area.top, below = panel.area.bottom();
    const double hi = std::clamp(panel.page_y(at.hi), above, below);
    const double lo = std::clamp(panel.page_y(at.lo), above, below);
    return {x - half_cap, x + half_cap, hi, lo};
  }
  const double y = panel.page_y(at.y), half = radius * series.style.size;
  return {x - half, x + half, y - half, y + half};
}

void add_arrow(std::vector<Box>& boxes, const Panel& panel, const Datum& from, const Datum& to) {
  constexpr double step = 6, half = 4;
  const double x = panel.page_x(from.x), y = panel.page_y(from.y);
  const double dx = panel.page_x(to.x) - x, dy = panel.page_y(to.y) - y;
  const double count = std::ceil(std::hypot(dx, dy) / step);
  for (double k = 0; k <= count; ++k) {
    const double at_x = x + dx * k / count, at_y = y + dy * k / count;
    boxes.push_back({at_x - half, at_x + half, at_y - half, at_y + half});
  }
}

// The part of the stroke, from 0 to 1, whose coordinate lies between two borders.
struct Part {
  double from = 0, to = 1;
};
Part between(Part part, double begin, double end, double lo, double hi) {
  if (begin == end) return lo <= begin && begin <= hi ? part : Part{1, 0};
  const auto [first, last] = std::minmax({(lo - begin) / (end - begin), (hi - begin) / (end - begin)});
  return {std::max(part.from, first), std::min(part.to, last)};
}

bool is_crossed(const Panel& panel, const Datum& from, const Datum& to, const Box& box) {
  Part part = between({}, panel.page_x(from.x), panel.page_x(to.x), box.left, box.right);
  part = between(part, panel.page_y(from.y), panel.page_y(to.y), box.top, box.bottom);
  return part.from <= part.to;
}

}  // namespace

bool Box::meets(const Box& other) const {
  return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
}

std::vector<Box> marks_in(const Panel& panel) {
  std::vector<Box> boxes;
  for (const Series& series : panel.series) {
    if (series.mark == Mark::arrow) add_arrow(boxes, panel, series.data.front(), series.data.back());
    if (series.mark != Mark::points && series.mark != Mark::intervals) continue;
    for (const Datum& at : series.data) boxes.push_back(box_at(panel, series, at));
  }
  return boxes;
}

int lines_through(const Panel& panel, const Box& box) {
  int count = 0;
  for (const Series& series : panel.series) {
    if (series.mark != Mark::line) continue;
    for (std::size_t i = 1; i < series.data.size(); ++i) {
      if (is_crossed(panel, series.data[i - 1], series.data[i], box)) ++count;
    }
  }
  return count;
}

double label_width(const std::string& utf8) {
  constexpr double capitals = 1.08;
  return capitals * text_width(utf8);
}

Box box_of(const Label& label) {
  constexpr double usual_size = 12;
  const double half_height = 6.5 * label.size / usual_size;
  const double width = label_width(label.text) * label.size / usual_size, y = label.y;
  const double left = label.align == Align::left    ? label.x
                      : label.align == Align::right ? label.x - width
                                                    : label.x - width / 2;
  return {left, left + width, y - half_height, y + half_height};
}

}  // namespace gable::charts
