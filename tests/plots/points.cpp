// The names of points on the Locality-Aware Roofline chart, and the intervals of its roofs: nothing lies on
// what it is not of. Places are read back from what the script is told.

#include "plots/charts/larm/points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "plots/charts/larm/intervals.hpp"

namespace {

using namespace gable::cli;
using gable::model::Roof;

constexpr PointArea area = {-5, 5, -2, 8, 64, 64};

struct Box {
  double left, right, bottom, top;  // in points of the picture
  bool crosses(const Box& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

double number(const Variables& told, const char* what, std::size_t i) {
  return std::get<double>(told.at("point_" + std::string(what) + "_" + std::to_string(i + 1)));
}

Box name_of(const Variables& told, std::size_t i) {
  const double x = (std::log2(number(told, "label_x", i)) - area.x_from) * area.x_points;
  const double y = (std::log2(number(told, "label_y", i)) - area.y_from) * area.y_points;
  const double width = text_width(std::get<std::string>(told.at("point_name_" + std::to_string(i + 1))));
  const bool left = number(told, "left", i) > 0;
  return {left ? x - width : x, left ? x : x + width, y - 8, y + 8};
}

Box bar_of(const Variables& told, std::size_t i) {
  const double x = (std::log2(number(told, "x", i)) - area.x_from) * area.x_points;
  const auto height = [&](const char* what) {
    return (std::log2(number(told, what, i)) - area.y_from) * area.y_points;
  };
  return {x - 4, x + 4, height("lo"), height("hi")};
}

PlacedPoint point(const std::string& name, double x, double y, double spread) {
  return {name, std::exp2(x), std::exp2(y), std::exp2(y - spread), std::exp2(y + spread), ""};
}

void expect_clear(const std::vector<PlacedPoint>& points, const std::string& what) {
  Variables told;
  tell_points(told, points, area);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (i == j) continue;
      EXPECT_FALSE(name_of(told, i).crosses(bar_of(told, j))) << what << ": " << i << " on the bar of " << j;
      EXPECT_FALSE(name_of(told, i).crosses(name_of(told, j))) << what << ": names " << i << " and " << j;
    }
  }
}

TEST(PlotPoints, NamesDoNotLieOnIntervals) {
  expect_clear(
      {point("ddot", -3, 1, 0.7), point("triad of mine", -2.8, 1.4, 0.4), point("daxpy", -2.78, 1.6, 0.4)},
      "three");
  expect_clear({point("near the right edge", 4.5, 3, 0.1), point("another", 4.2, 3.2, 1)}, "edge");
  std::mt19937 random(7);
  std::uniform_real_distribution<double> x(-4, 3), y(-1, 7), spread(0.01, 0.6);
  for (int round = 0; round < 200; ++round) {
    std::vector<PlacedPoint> points;
    for (int i = 0; i < 6; ++i)
      points.push_back(point("point " + std::to_string(i), x(random), y(random), spread(random)));
    expect_clear(points, "round " + std::to_string(round));
  }
}

// An interval that goes on beyond the area ends there, without a cap.
TEST(PlotPoints, IntervalsBeyondTheAreaAreCut) {
  Variables told;
  const auto edges = tell_points(told, {point("in", 0, 3, 1), point("below", 1, -1, 3)}, area);
  EXPECT_TRUE(edges.any_interval_cut);
  EXPECT_FALSE(edges.any_outside);
  EXPECT_EQ(number(told, "below", 0), 0);
  EXPECT_EQ(number(told, "below", 1), 1);
  EXPECT_EQ(number(told, "above", 1), 0);
  EXPECT_DOUBLE_EQ(number(told, "lo", 1), std::exp2(area.y_from));
  EXPECT_FALSE(tell_points(told, {point("in", 0, 3, 1)}, area).any_interval_cut);
}

Roof roof(double value, double lo, double hi) {
  Roof roof;
  roof.asked.kind = "bandwidth";
  roof.value = value;
  roof.lo = lo;
  roof.hi = hi;
  roof.unit = "GB/s";
  return roof;
}

TEST(LarmIntervals, OnlyBandsThatOverlapAreBars) {
  Frame frame;
  frame.x_from = -5;
  frame.x_to = 5;
  frame.y_from = -4;
  frame.y_to = 6;
  frame.canvas = {1000, 800, 100, 100, 80, 80};  // 64 points an octave
  const std::vector<Roof> roofs = {roof(400, 390, 410), roof(22, 17, 27), roof(21, 20, 22),
                                   roof(20, 16, 19.9), roof(30, 30, 30)};
  const auto bars = bar_places(roofs, frame);
  EXPECT_FALSE(bars[0]);                       // alone
  EXPECT_FALSE(bars[4]);                       // a figure without an interval
  ASSERT_TRUE(bars[1] && bars[2] && bars[3]);  // the last two through the first
  EXPECT_LT(frame.x_from, *bars[1]);
  EXPECT_LT(*bars[1], *bars[2]);
  EXPECT_LT(*bars[2], *bars[3]);
  const std::vector<Roof> narrow = {roof(20, 19.9, 20.1), roof(20.05, 19.8, 20.2)};
  for (const auto& bar : bar_places(narrow, frame)) EXPECT_FALSE(bar) << "they would be specks";
  const std::vector<Roof> many(40, roof(20, 18, 22));
  for (const auto& bar : bar_places(many, frame)) EXPECT_LT(bar.value(), 0);
}

}  // namespace
