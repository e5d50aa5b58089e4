#include "plots/charts/larm/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plots/charts/larm/mix_roofs.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;

namespace {

constexpr double usual_step = 16;   // between bars, in points
constexpr double most_room = 0.4;   // of the roofs' width
constexpr double least_height = 8;  // in points: smaller intervals look better as bands, even if they overlap

// Roofs whose intervals overlap, directly or through others; by value, the largest first.
std::vector<std::vector<std::size_t>> overlapping(const std::vector<Roof>& roofs,
                                                  std::vector<std::size_t> of) {
  std::ranges::sort(of, {}, [&](std::size_t i) { return roofs[i].lo; });
  std::vector<std::vector<std::size_t>> groups;
  double reach = 0;
  for (const std::size_t i : of) {
    if (groups.empty() || roofs[i].lo > reach) groups.emplace_back();
    reach = groups.back().empty() ? roofs[i].hi : std::max(reach, roofs[i].hi);
    groups.back().push_back(i);
  }
  for (auto& group : groups)
    std::ranges::stable_sort(group, std::greater(), [&](std::size_t i) { return roofs[i].value; });
  return groups;
}

bool is_oblique(const Roof& roof) {
  return roof.status == model::Status::ok && !is_peak(roof.spec.kind) && roof.lo < roof.hi &&
         !has_wide_interval(roof) && !is_between_bounds(roof);
}

}  // namespace

std::vector<std::optional<double>> bar_places(const std::vector<Roof>& roofs, const LarmFrame& frame) {
  std::vector<std::optional<double>> places(roofs.size());
  std::vector<std::size_t> oblique;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    if (is_oblique(roofs[i])) oblique.push_back(i);
  }
  const double octaves = frame.x_to - frame.x_from;
  const double points_per_octave = frame.area.height / (frame.y_to - frame.y_from);
  for (const auto& group : overlapping(roofs, oblique)) {
    const auto wide = [&](std::size_t i) { return points_per_octave * std::log2(roofs[i].hi / roofs[i].lo); };
    const auto visible = std::ranges::count_if(group, [&](std::size_t i) { return wide(i) >= least_height; });
    if (visible < 2) continue;
    const double step = std::min(usual_step * octaves / frame.roof_width,
                                 most_room * octaves / static_cast<double>(group.size()));
    for (std::size_t k = 0; k < group.size(); ++k)
      places[group[k]] = frame.x_from + step * static_cast<double>(k + 1);
  }
  return places;
}

}  // namespace gable::charts
