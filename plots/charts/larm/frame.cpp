#include "plots/charts/larm/frame.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/sorting.hpp"
#include "model/records/profile.hpp"
#include "plots/charts/larm/labels.hpp"
#include "plots/charts/larm/mix_roofs.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {

namespace {

using model::Roof;
using model::Status;

// Octaves by which points may widen a side of the axes: a decade, and two for what one thread of many
// achieves.
constexpr double farthest_x = 3.33, farthest_y = 6.65;

// The axes of the roofs, widened for points that are near enough.
void make_room(LarmFrame& frame, const std::vector<PlacedPoint>& points) {
  const LarmFrame roofs = frame;
  const auto near = [](double value, double from, double to, double farthest) {
    return value >= from - farthest && value <= to + farthest;
  };
  for (const PlacedPoint& point : points) {
    const double y = std::log2(point.gflop_per_s);
    if (!near(y, roofs.y_from, roofs.y_to, farthest_y)) continue;
    std::vector<double> intensities = {point.flop_per_byte};
    for (const PlacedLevel& level : point.levels) intensities.push_back(level.flop_per_byte);
    std::erase_if(intensities,
                  [&](double x) { return !near(std::log2(x), roofs.x_from, roofs.x_to, farthest_x); });
    if (intensities.empty()) continue;
    const auto [least, most] = std::ranges::minmax(intensities);
    frame.x_from = std::min(frame.x_from, std::floor(std::log2(least)) - 1);
    frame.x_to = std::max(frame.x_to, std::ceil(std::log2(most)) + 1);
    // An interval gets one octave of space; wider ones end at the axes.
    frame.y_from = std::min(frame.y_from, std::max(std::log2(point.lo), y - 1) - 1);
    frame.y_to = std::max(frame.y_to, std::min(std::log2(point.hi), y + 1) + 1);
  }
}

// Peaks go on behind the last ridge until their labels fit above them.
void make_room_above_peaks(LarmFrame& frame, double last_ridge, double label) {
  constexpr double most_octaves = 6;
  const double farthest_end = frame.x_to + most_octaves;
  while (frame.x_to < farthest_end &&
         (frame.x_to - last_ridge) * frame.roof_width < label * (frame.x_to - frame.x_from))
    ++frame.x_to;
}

// No grid behind the labels.
void clear_label_column(Panel& panel, const LarmFrame& frame) {
  const double from = panel.x.from, to = std::exp2(frame.x_from), below = panel.y.from, above = panel.y.to;
  if (from < to)
    panel.series.push_back(
        {"", Mark::area, Style{0xffffff}, {{from, below}, {to, below}, {to, above}, {from, above}}});
}

// None where the axis has no end.
std::vector<Tick> intensity_ticks(const LarmFrame& frame) {
  constexpr double tick_room = 36;  // for "1/16" and a gap, in points
  const double octaves = frame.x_to - frame.x_from;
  std::vector<Tick> ticks;
  if (!std::isfinite(octaves)) return ticks;
  int step = 1;
  while (step * frame.roof_width < tick_room * octaves) step *= 2;
  for (int k = static_cast<int>(frame.x_from); k <= static_cast<int>(frame.x_to); k += step)
    ticks.push_back(
        {std::exp2(k), k < 0 ? fmt::format("1/{:g}", std::exp2(-k)) : fmt::format("{:g}", std::exp2(k))});
  return ticks;
}

bool is_roof_of(const Recorded& recorded, const model::Case& spec, int cluster, RoofKinds kinds) {
  if (spec.cluster != cluster) return false;
  if (spec.kind == model::Kind::bandwidth) return spec.op == recorded.op && makes_roof(spec.pattern);
  return kinds == RoofKinds::bandwidths_and_random_loads ? spec.kind == model::Kind::random
                                                         : is_peak(spec.kind) && !is_slow(spec.op);
}

std::vector<Roof> roofs_of_cluster(const Recorded& recorded, const model::Roofs& roofs, int cluster,
                                   RoofKinds kinds) {
  std::vector<Roof> best = model::best_of_each(
      roofs.roofs, [&](const Roof& roof) { return is_roof_of(recorded, roof.spec, cluster, kinds); });
  for (Roof& roof : best) {
    if (roof.spec.kind != model::Kind::random) continue;
    constexpr double million_lines = 1e6 * model::profile_line_bytes / 1e9;  // in GB
    for (double* value : {&roof.value, &roof.lo, &roof.hi}) *value *= million_lines;
    roof.unit = unit_of(model::Kind::bandwidth);
  }
  return best;
}

// Without those that are hidden, sorted, with what follows from them.
DrawnRoofs drawn_of(const Recorded& recorded, const std::string& machine, std::vector<Roof> roofs) {
  DrawnRoofs drawn;
  drawn.machine = machine;
  std::erase_if(roofs, [&](const Roof& roof) { return recorded.hides(drawn.name_of(roof)); });
  sort_with(roofs, [](const Roof& a, const Roof& b) {
    if (a.spec.kind != b.spec.kind) return a.spec.kind < b.spec.kind;
    return a.value > b.value;
  });
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok) {
      ++drawn.missing;
    } else if (!is_peak(roof.spec.kind)) {
      drawn.bandwidth.see(roof.value);
      if (is_between_bounds(roof)) drawn.bandwidth.see(roof.lo);
      drawn.oblique.push_back(roof);
    } else {
      drawn.peak.see(roof.value);
      if (roof.spec.precision == model::Precision::dp)
        drawn.ridge_peak = std::max(drawn.ridge_peak, roof.value);
    }
  }
  if (drawn.ridge_peak == 0) drawn.ridge_peak = drawn.peak.most;
  drawn.roofs = std::move(roofs);
  return drawn;
}

}  // namespace

LarmFrame frame_of(const Extremes& bandwidth, const Extremes& peak, const LabelRoom& room,
                   const std::vector<PlacedPoint>& points) {
  constexpr double y_margin = 0.6;
  LarmFrame frame;
  if (room.column) frame.roof_width = column_page - 86;  // 16 less where the axis has longer numbers
  frame.area = {room.column ? 60.0 : 76.0, 84, room.left_column + frame.roof_width,
                room.column ? 290.0 : 664.0};
  frame.x_from = -5;  // without peaks there are no ridges to show
  frame.x_to = 0;
  if (peak.most > 0) {
    frame.x_from = std::min(-5.0, std::floor(std::log2(peak.most / bandwidth.most)) - 3);
    frame.x_to = std::max(3.0, std::floor(std::log2(peak.most / bandwidth.least)) + 1);
  }
  if (peak.most > 0) make_room_above_peaks(frame, std::log2(peak.most / bandwidth.least), room.peaks);
  const double top = peak.most > 0 ? std::log2(peak.most) : std::log2(bandwidth.most) + frame.x_to;
  frame.y_from = std::log2(bandwidth.least) + frame.x_from - y_margin;
  frame.y_to = top + y_margin;
  make_room(frame, points);
  // Roofs extend to the axes, including widened ones.
  frame.y_from = std::min(frame.y_from, std::log2(bandwidth.least) + frame.x_from - y_margin);
  if (peak.most <= 0) frame.y_to = std::max(frame.y_to, std::log2(bandwidth.most) + frame.x_to + y_margin);
  const double octave = frame.roof_width / (frame.x_to - frame.x_from);
  frame.x_first = frame.x_from - room.left_column / octave;
  if (frame.y_from < std::log2(0.01)) {  // longer numbers beside the axis
    frame.area.left += 16;
  }
  return frame;
}

Line line_of(const model::Roof& roof, const LarmFrame& frame, const Extremes& bandwidth,
             const Extremes& peak) {
  const double value = std::log2(roof.value);
  if (is_peak(roof.spec.kind)) {
    return {std::max(frame.x_from, value - std::log2(bandwidth.most)), value, frame.x_to, value};
  }
  const double end = peak.most > 0 ? std::log2(peak.most) - value : frame.x_to;
  return {frame.x_from, value + frame.x_from, end, value + end};
}

Box area_of(const LarmFrame& frame) {
  const Rectangle& area = frame.area;
  return {area.right() - frame.roof_width, area.right(), area.top, area.bottom()};
}

Panel larm_panel(const LarmFrame& frame, const Quantity& quantity) {
  Panel panel;
  panel.area = frame.area;
  panel.x = {{quantity.x_title, quantity.x_unit},
             std::exp2(frame.x_first),
             std::exp2(frame.x_to),
             Scale::log2,
             intensity_ticks(frame)};
  panel.y = {
      {quantity.y_title, quantity.y_unit}, std::exp2(frame.y_from), std::exp2(frame.y_to), Scale::log10};
  panel.y.grid = Grid::minor;
  clear_label_column(panel, frame);
  return panel;
}

Style DrawnRoofs::style_of(const Roof& roof) const {
  return machine.empty() ? roof_style(roof.spec) : overlay_style();
}

std::string DrawnRoofs::name_of(const Roof& roof) const {
  return machine.empty() ? roof_name(roof) : machine + ": " + roof_name(roof);
}

DrawnRoofs drawn_roofs(const Recorded& recorded, int cluster, RoofKinds kinds) {
  std::vector<Roof> roofs = roofs_of_cluster(recorded, recorded.roofs, cluster, kinds);
  const std::vector<Roof> applications = mix_roofs(recorded, cluster);
  roofs.insert(roofs.end(), applications.begin(), applications.end());
  return drawn_of(recorded, "", std::move(roofs));
}

DrawnRoofs overlaid_roofs(const Recorded& recorded, int cluster, RoofKinds kinds) {
  if (!recorded.overlay) return {};
  const model::Roofs& roofs = recorded.overlay->roofs;
  const std::set<int> clusters = model::clusters_in(roofs.roofs);
  if (!clusters.contains(cluster) && !clusters.empty()) cluster = *clusters.begin();
  return drawn_of(recorded, recorded.overlay->machine, roofs_of_cluster(recorded, roofs, cluster, kinds));
}

}  // namespace gable::charts
