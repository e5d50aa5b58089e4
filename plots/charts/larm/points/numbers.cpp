#include "plots/charts/larm/points/numbers.hpp"

#include <fmt/format.h>

#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

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
    entries.push_back({fmt::format("{} {}", point.number, shortened(point.name, longest_name)), Mark::points,
                       point_style(i, point.simulated)});
  }
  return entries;
}

}  // namespace gable::charts
