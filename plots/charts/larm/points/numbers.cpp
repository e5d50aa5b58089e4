#include "plots/charts/larm/points/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plots/charts/text.hpp"

namespace gable::charts {

void number_if_many(std::vector<PlacedPoint>& points) {
  if (points.size() <= most_names) return;
  int number = 0;
  for (PlacedPoint& point : points) point.number = ++number;
}

namespace {

constexpr std::size_t longest_function = 44;  // characters, with its program and its share

// A ring of a legend is as large as its row.
Style legend_symbol(const PlacedPoint& point, std::size_t i) {
  Style style = symbol_of(point, i);
  style.size = std::min(style.size, 1.1);
  return style;
}

}  // namespace

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

}  // namespace gable::charts
