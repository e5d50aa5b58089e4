#include "plots/charts/larm/frame.hpp"

#include <algorithm>
#include <cmath>

namespace gable::charts {

namespace {

constexpr double farthest = 3.33;  // octaves (a decade) by which points may widen a side of the axes

// The axes of the roofs, widened for points that are near enough.
void make_room(LarmFrame& frame, const std::vector<PlacedPoint>& points) {
  const LarmFrame roofs = frame;
  const auto near = [](double value, double from, double to) {
    return value >= from - farthest && value <= to + farthest;
  };
  for (const PlacedPoint& point : points) {
    const double x = std::log2(point.flop_per_byte), y = std::log2(point.gflop_per_s);
    if (!near(x, roofs.x_from, roofs.x_to) || !near(y, roofs.y_from, roofs.y_to)) continue;
    frame.x_from = std::min(frame.x_from, std::floor(x) - 1);
    frame.x_to = std::max(frame.x_to, std::ceil(x) + 1);
    // An interval gets one octave of space; wider ones end at the axes.
    frame.y_from = std::min(frame.y_from, std::max(std::log2(point.lo), y - 1) - 1);
    frame.y_to = std::max(frame.y_to, std::min(std::log2(point.hi), y + 1) + 1);
  }
}

}  // namespace

LarmFrame frame_of(const Extremes& bandwidth, const Extremes& peak, double left_column, double right_column,
                   const std::vector<PlacedPoint>& points) {
  constexpr double y_margin = 0.6;
  LarmFrame frame;
  frame.area = {76, 84, left_column + roof_width + right_column, 664};
  frame.x_from = -5;  // without peaks there are no ridges to show
  frame.x_to = 0;
  if (peak.most > 0) {
    frame.x_from = std::min(-5.0, std::floor(std::log2(peak.most / bandwidth.most)) - 3);
    frame.x_to = std::max(3.0, std::floor(std::log2(peak.most / bandwidth.least)) + 1);
  }
  const double top = peak.most > 0 ? std::log2(peak.most) : std::log2(bandwidth.most) + frame.x_to;
  frame.y_from = std::log2(bandwidth.least) + frame.x_from - y_margin;
  frame.y_to = top + y_margin;
  make_room(frame, points);
  // Roofs extend to the axes, including widened ones.
  frame.y_from = std::min(frame.y_from, std::log2(bandwidth.least) + frame.x_from - y_margin);
  if (peak.most <= 0) frame.y_to = std::max(frame.y_to, std::log2(bandwidth.most) + frame.x_to + y_margin);
  const double octave = roof_width / (frame.x_to - frame.x_from);
  frame.x_first = frame.x_from - left_column / octave;
  frame.x_last = frame.x_to + right_column / octave;
  if (frame.y_from < std::log2(0.01)) {  // longer numbers beside the axis
    frame.area.left += 16;
  }
  return frame;
}

Line line_of(const model::Roof& roof, const LarmFrame& frame, const Extremes& bandwidth,
             const Extremes& peak) {
  const double value = std::log2(roof.value);
  if (roof.asked.kind == "flops") {
    return {std::max(frame.x_from, value - std::log2(bandwidth.most)), value, frame.x_to, value};
  }
  const double end = peak.most > 0 ? std::log2(peak.most) - value : frame.x_to;
  return {frame.x_from, value + frame.x_from, end, value + end};
}

PointArea area_of(const LarmFrame& frame) {
  return {frame.x_from,
          frame.x_to,
          frame.y_from,
          frame.y_to,
          frame.area.width / (frame.x_last - frame.x_first),
          frame.area.height / (frame.y_to - frame.y_from)};
}

}  // namespace gable::charts
