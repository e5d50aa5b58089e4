// The names of points on the Locality-Aware Roofline chart, and the intervals of its roofs: labels do not
// overlap other items. Positions are read back from the script's input.

#include "plots/charts/larm/points/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "plots/charts/larm/obstacles.hpp"
#include "plots/charts/larm/roof_lines.hpp"
#include "tests/draws.hpp"

namespace {

using namespace gable::charts;
using gable::model::Kind;
using gable::model::Roof;

constexpr Box area = {0, 640, 0, 640};  // ten octaves each way

PlacedPoint point(const std::string& name, double x, double y, double spread) {
  return {name, std::exp2(x), std::exp2(y), std::exp2(y - spread), std::exp2(y + spread)};
}

struct DrawnPoints {
  Chart chart;
  Panel panel;
  std::vector<PointLabel> points;
};

DrawnPoints drawn_points(const std::vector<PlacedPoint>& points) {
  DrawnPoints made;
  made.panel.area = {0, 0, area.right, area.bottom};
  made.panel.x = {"", std::exp2(-5), std::exp2(5), Scale::log2};
  made.panel.y = {"", std::exp2(-2), std::exp2(8), Scale::log10};
  made.points = add_points(made.panel, points, area);
  add_point_labels(made.chart, made.panel, points, made.points, area);
  return made;
}

void expect_clear(const std::vector<PlacedPoint>& points, const std::string& what) {
  const DrawnPoints made = drawn_points(points);
  ASSERT_EQ(made.chart.labels.size(), points.size());
  std::vector<Box> boxes = marks_in(made.panel);
  EXPECT_GE(boxes.size(), 2 * points.size()) << "symbols and intervals";
  for (const Label& label : made.chart.labels) {
    const Box box = box_of(label);
    for (const Box& before : boxes) EXPECT_FALSE(box.meets(before)) << what << ": " << label.text;
    boxes.push_back(box);
  }
}

TEST(PlotPoints, NamesDoNotLieOnIntervals) {
  expect_clear(
      {point("ddot", -3, 1, 0.7), point("triad of mine", -2.8, 1.4, 0.4), point("daxpy", -2.78, 1.6, 0.4)},
      "three");
  expect_clear({point("near the right edge", 4.5, 3, 0.1), point("another", 4.2, 3.2, 1)}, "edge");
  std::mt19937 random(7);
  std::uniform_real_distribution<double> x(-4, 3), y(-1, 7), spread(0.01, 0.6);
  const int rounds = gable::tests::draws(40, 400);
  for (int round = 0; round < rounds; ++round) {
    std::vector<PlacedPoint> points;
    for (int i = 0; i < 6; ++i)
      points.push_back(point("point " + std::to_string(i), x(random), y(random), spread(random)));
    expect_clear(points, "round " + std::to_string(round));
  }
}

// The text of a point beyond the area stands beside its arrow, not behind the point that it would cover
// there.
TEST(PlotPoints, ATextAtTheEdgeStaysBesideItsArrow) {
  const std::vector<PlacedPoint> points = {point("ddot", -3, 1, 0.01), point("far to the left", -9, 1, 0)};
  expect_clear(points, "edge arrow");
  const DrawnPoints made = drawn_points(points);
  ASSERT_TRUE(made.points[1].outside());
  const Label& far = made.chart.labels.at(1);
  EXPECT_EQ(far.align, Align::left);
  EXPECT_LT(far.x, made.points[1].x + out_arrow + 10);
  EXPECT_LE(std::abs(far.y - made.points[1].symbol_y), 2 * line_height);
  const DrawnPoints alone = drawn_points({points[1]});
  EXPECT_EQ(alone.chart.labels.at(0).y, alone.points[0].symbol_y) << "nothing is in the way";

  const auto leads = [&](const Series& series) {  // from the arrow to the text
    return series.group == points[1].name && series.mark == Mark::line && series.data.size() == 2 &&
           std::abs(made.panel.page_x(series.data[1].x) - far.x) < 1e-6 &&
           std::abs(made.panel.page_y(series.data[1].y) - far.y) < 1e-6 &&
           made.panel.page_x(series.data[0].x) < out_arrow + 10;
  };
  EXPECT_TRUE(std::ranges::any_of(made.panel.series, leads));
}

// A text that is longer than the room on either side of its symbol or arrow stays in the area.
TEST(PlotPoints, LongTextsDoNotCrossTheAxes) {
  const std::string name = "a program with a name of as many as fifty-five letters";
  for (const double y : {3.0, -9.0, 12.0}) {
    for (const double x : {-1.0, 0.0, 1.0}) {
      const std::vector<PlacedPoint> points = {point(name, x, y, 0.01)};
      expect_clear(points, "long");
      const Box box = box_of(drawn_points(points).chart.labels.at(0));
      EXPECT_GE(box.left, area.left) << x << " " << y;
      EXPECT_LE(box.right, area.right) << x << " " << y;
    }
  }
}

// An interval that extends beyond the area ends there.
TEST(PlotPoints, IntervalsBeyondTheAreaAreCut) {
  const std::vector<PlacedPoint> inside = {point("in", 0, 3, 1)};
  EXPECT_FALSE(is_interval_cut(drawn_points(inside).panel, inside, drawn_points(inside).points));
  const std::vector<PlacedPoint> both = {inside[0], point("below", 1, -1, 3)};
  const DrawnPoints made = drawn_points(both);
  EXPECT_TRUE(is_interval_cut(made.panel, both, made.points));
  EXPECT_TRUE(std::ranges::none_of(made.points, &PointLabel::outside));
  for (const Box& mark : marks_in(made.panel)) EXPECT_LE(mark.bottom, area.bottom);
}

// A name stands beside its symbol, which is where the figures say.
TEST(PlotPoints, StandOnThePageWhereTheyAre) {
  const std::vector<PlacedPoint> points = {point("one", 0, 3, 0.1), point("two", 2, 6, 0.1)};
  const DrawnPoints made = drawn_points(points);
  ASSERT_EQ(made.chart.labels.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const Label& label = made.chart.labels[i];
    EXPECT_EQ(label.text, points[i].name);
    const auto symbol = std::ranges::find(made.panel.series, points[i].name, &Series::name);
    ASSERT_NE(symbol, made.panel.series.end());
    EXPECT_EQ(symbol->data.at(0).x, points[i].flop_per_byte);
    EXPECT_EQ(symbol->data.at(0).y, points[i].gflop_per_s);
    EXPECT_NEAR(label.x, made.panel.page_x(points[i].flop_per_byte), 10);
    EXPECT_NEAR(label.y, made.panel.page_y(points[i].gflop_per_s), 1e-6);
  }
}

Roof roof(double value, double lo, double hi) {
  Roof roof;
  roof.spec.kind = Kind::bandwidth;
  roof.value = value;
  roof.lo = lo;
  roof.hi = hi;
  roof.unit = "GB/s";
  return roof;
}

TEST(LarmIntervals, OnlyBandsThatOverlapAreBars) {
  LarmFrame frame;
  frame.x_from = -5;
  frame.x_to = 5;
  frame.y_from = -4;
  frame.y_to = 6;
  frame.area = {100, 80, 800, 640};  // 64 points an octave
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
