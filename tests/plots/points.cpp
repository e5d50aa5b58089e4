// The names of points on the Locality-Aware Roofline chart, and the intervals of its roofs: labels do not
// overlap other items. Positions are read back from the script's input.

#include "plots/charts/larm/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "plots/charts/larm/intervals.hpp"

namespace {

using namespace gable::charts;
using gable::model::Roof;

constexpr PointArea area = {-5, 5, -2, 8, 64, 64};

struct Box {
  double left, right, bottom, top;  // in points of the picture
  bool crosses(const Box& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

Box name_of(const PointLabel& label) {
  return {label.from(), label.to(), label.y - 8, label.y + 8};
}

Box bar_of(const PointLabel& label) {
  return {label.x - 4, label.x + 4, label.lo, label.hi};
}

PlacedPoint point(const std::string& name, double x, double y, double spread) {
  return {name, std::exp2(x), std::exp2(y), std::exp2(y - spread), std::exp2(y + spread)};
}

void expect_clear(const std::vector<PlacedPoint>& points, const std::string& what) {
  const std::vector<PointLabel> labels = label_points(points, area);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (i == j) continue;
      EXPECT_FALSE(name_of(labels[i]).crosses(bar_of(labels[j])))
          << what << ": " << i << " on the bar of " << j;
      EXPECT_FALSE(name_of(labels[i]).crosses(name_of(labels[j]))) << what << ": names " << i << " and " << j;
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

Panel panel_of_area() {
  Panel panel;
  panel.area = {0, 0, (area.x_to - area.x_from) * area.x_points, (area.y_to - area.y_from) * area.y_points};
  panel.x = {"", std::exp2(area.x_from), std::exp2(area.x_to), Scale::log2};
  panel.y = {"", std::exp2(area.y_from), std::exp2(area.y_to), Scale::log10};
  return panel;
}

// The text of a point beyond the area stands beside its arrow, not behind the point that it would cover
// there.
TEST(PlotPoints, ATextAtTheEdgeStaysBesideItsArrow) {
  const std::vector<PlacedPoint> points = {point("ddot", -3, 1, 0.01), point("far to the left", -9, 1, 0)};
  expect_clear(points, "edge arrow");
  const PointLabel far = label_points(points, area)[1];
  ASSERT_TRUE(far.outside());
  EXPECT_EQ(far.shift, 0);
  EXPECT_LT(far.from(), far.x + out_arrow + 10);
  EXPECT_LE(std::abs(far.y - far.symbol_y), 2 * line_height);
  const PointLabel alone = label_points({points[1]}, area)[0];
  EXPECT_EQ(alone.y, alone.symbol_y) << "nothing is in the way";

  Chart chart;
  Panel panel = panel_of_area();
  add_points(chart, panel, points, area);
  const auto leads = [&](const Series& series) {  // from the arrow to the text
    return series.group == points[1].name && series.mark == Mark::line && series.data.size() == 2 &&
           std::abs(panel.page_x(series.data[1].x) - chart.labels.at(1).x) < 1e-6 &&
           std::abs(panel.page_y(series.data[1].y) - chart.labels.at(1).y) < 1e-6 &&
           panel.page_x(series.data[0].x) < out_arrow + 10;
  };
  EXPECT_TRUE(std::ranges::any_of(panel.series, leads));
}

// An interval that extends beyond the area ends there.
TEST(PlotPoints, IntervalsBeyondTheAreaAreCut) {
  const std::vector<PlacedPoint> points = {point("in", 0, 3, 1), point("below", 1, -1, 3)};
  const std::vector<PointLabel> labels = label_points(points, area);
  EXPECT_FALSE(labels[0].below);
  EXPECT_TRUE(labels[1].below);
  EXPECT_FALSE(labels[1].above);
  EXPECT_DOUBLE_EQ(labels[1].lo, 0);
  Chart chart;
  Panel panel = panel_of_area();
  const auto edges = add_points(chart, panel, points, area);
  EXPECT_TRUE(edges.any_interval_cut);
  EXPECT_FALSE(edges.any_outside);
  EXPECT_FALSE(add_points(chart, panel, {point("in", 0, 3, 1)}, area).any_interval_cut);
}

// The name's position on the page matches its position in the area, and the symbol's matches the figures.
TEST(PlotPoints, StandOnThePageWhereTheyAre) {
  Chart chart;
  Panel panel = panel_of_area();
  const std::vector<PlacedPoint> points = {point("one", 0, 3, 0.1), point("two", 2, 6, 0.1)};
  add_points(chart, panel, points, area);
  const std::vector<PointLabel> labels = label_points(points, area);
  ASSERT_EQ(chart.labels.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(chart.labels[i].text, points[i].name);
    EXPECT_NEAR(chart.labels[i].x, labels[i].from(), 1e-6);
    EXPECT_NEAR(chart.labels[i].y, panel.area.height - labels[i].y, 1e-6);
    const auto symbol = std::ranges::find(panel.series, points[i].name, &Series::name);
    ASSERT_NE(symbol, panel.series.end());
    EXPECT_EQ(symbol->data.at(0).x, points[i].flop_per_byte);
    EXPECT_EQ(symbol->data.at(0).y, points[i].gflop_per_s);
  }
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
