#include "model/statistics/groups.hpp"

#include <algorithm>
#include <cmath>

namespace gable::model {

std::optional<double> upper_group(std::vector<double> values) {
  constexpr std::size_t fewest = 6, fewest_in_group = 2;
  constexpr double least_gap = 1.2, gap_in_widths = 2;
  if (values.size() < fewest) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto width = [&](std::size_t first, std::size_t last) {
    return std::log(values[last] / values[first]);
  };
  std::size_t upper = 1;
  for (std::size_t i = 2; i < values.size(); ++i)
    if (width(i - 1, i) > width(upper - 1, upper)) upper = i;
  if (upper < fewest_in_group || values.size() - upper < fewest_in_group) return std::nullopt;
  const double gap = width(upper - 1, upper);
  const double widest = std::max(width(0, upper - 1), width(upper, values.size() - 1));
  if (gap < std::log(least_gap) || gap < gap_in_widths * widest) return std::nullopt;
  return values[upper];
}

}  // namespace gable::model
