// The roofs have most of the chart, whatever else is on it, and labels stand apart from lines.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "plots/charts/text.hpp"
#include "tests/plots/larm_machines.hpp"

namespace {

using namespace gable::charts;
using gable::charts::tests::first_panel;
using gable::charts::tests::invented_peak;
using gable::charts::tests::invented_roof;
using gable::charts::tests::mentions;
using gable::model::Kind;
using gable::model::Roof;

TEST(LarmChart, WithoutPeaksShowsTheRoofsAndLittleElse) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 100, 0, "DRAM"),
                          invented_roof(Kind::bandwidth, 10, 1, "NVM")};
  const Chart chart = larm_chart(recorded, 0);
  const double octaves = std::log2(first_panel(chart).y.to / first_panel(chart).y.from);
  EXPECT_LT(octaves, std::log2(10.0) + 7) << "the roofs lie a factor of ten apart";
  EXPECT_GT(octaves, std::log2(10.0) + 2);
}

TEST(LarmChart, NoPeakCrossesALabel) {
  Recorded recorded;
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 100, 0, "DRAM")};
  for (const char* op : {"fma", "add", "mul"}) {
    for (const double sp : {1.0, 2.0}) {
      Roof one = invented_peak((op[0] == 'f' ? 135 : op[0] == 'a' ? 67.7 : 63.8) * sp);
      one.spec.op = gable::model::Operation(op),
      one.spec.precision = sp > 1 ? gable::model::Precision::sp : gable::model::Precision::dp;
      recorded.roofs.roofs.push_back(one);
    }
  }
  const Chart chart = larm_chart(recorded, 0);
  std::vector<double> lines;
  for (const Roof& each : recorded.roofs.roofs)
    if (is_peak(each.spec.kind)) lines.push_back(first_panel(chart).page_y(each.value));
  int labels = 0;
  for (const auto& label : chart.labels) {
    if (!label.text.starts_with("FMA") && !label.text.starts_with("ADD") && !label.text.starts_with("MUL"))
      continue;
    ++labels;
    for (const double line : lines) EXPECT_GT(std::abs(line - label.y), 8) << label.text;
  }
  EXPECT_GE(labels, 3);
}

gable::model::Point point_at(const std::string& name, double flop_per_byte, double gflop_per_s) {
  gable::model::Point point;
  point.name = name;
  point.flops = gflop_per_s * 1e9;
  point.load_bytes = point.flops / flop_per_byte;
  point.seconds = point.seconds_lo = point.seconds_hi = 1;
  return point;
}

// A point far from all roofs is shown at the edge, with its figures, and does not change the axes.
TEST(LarmChart, FarPointsDoNotSqueezeTheRoofs) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 100, 0, "DRAM"),
                          invented_roof(Kind::bandwidth, 10, 1, "NVM"), invented_peak(500)};
  const auto axes = [&] {
    const Panel drawn = first_panel(larm_chart(recorded, 0));
    return std::vector<double>{drawn.x.ticks->front().at, drawn.x.ticks->back().at, drawn.y.from, drawn.y.to};
  };
  const std::vector<double> alone = axes();
  const std::vector<std::pair<double, double>> far = {{1e-4, 1e-3}, {1, 1e-3}, {1e6, 1},
                                                      {1e-4, 1},    {1, 1e7},  {20000, 0.5}};
  for (const auto& [x, y] : far) recorded.points.push_back(point_at("far", x, y));
  EXPECT_EQ(axes(), alone);
  const Chart chart = larm_chart(recorded, 0);
  std::size_t next = 0;
  for (const Series& arrow : first_panel(chart).series) {
    if (arrow.mark != Mark::arrow) continue;
    const auto& [x, y] = far.at(next++);
    const Datum &out = arrow.data.at(0), &at = arrow.data.at(1);
    EXPECT_TRUE(at.x > alone[0] && at.x < alone[1] && at.y > alone[2] && at.y < alone[3]) << next;
    EXPECT_TRUE((at.x - out.x) * (x - at.x) >= 0 && (at.y - out.y) * (y - at.y) >= 0)
        << "the arrow leads to the point";
  }
  EXPECT_EQ(next, far.size());
  const auto labelled = [&](const std::string& text) {
    return std::ranges::any_of(chart.labels, [&](const Label& label) { return label.text == text; });
  };
  EXPECT_TRUE(labelled("far: 0.0001 flop/byte, 0.001 GFlop/s"));
  EXPECT_TRUE(labelled("far: 20000 flop/byte, 0.5 GFlop/s"));
  EXPECT_TRUE(mentions(chart.note, "Arrows at the edge"));

  recorded.points = {point_at("near", alone[0] / 4, 1)};
  EXPECT_LT(axes()[0], alone[0] / 4) << "room is made for a point that is near";
  EXPECT_FALSE(mentions(larm_chart(recorded, 0).note, "Arrows at the edge"));
}

// In a paper's column everything lies on the page, and the page is as wide as letters of 7 points need.
TEST(LarmChart, FitsIntoAPapersColumn) {
  Recorded recorded;
  recorded.column = true;
  for (int node = 0; node < 12; ++node)
    recorded.roofs.roofs.push_back(
        invented_roof(Kind::bandwidth, std::exp2(node), node, node % 2 == 0 ? "DRAM" : "HBM"));
  recorded.roofs.roofs.push_back(invented_peak(500));
  const Chart chart = larm_chart(recorded, 0);
  ASSERT_TRUE(chart.column);
  EXPECT_EQ(chart.width, column_page);
  EXPECT_EQ(chart.legend.size(), 12u) << "every roof has its name";
  for (const LegendEntry& entry : chart.legend) {
    EXPECT_LE(entry.x + 30 + text_width(entry.text), chart.width) << entry.text;
    EXPECT_GT(entry.y, first_panel(chart).area.top + first_panel(chart).area.height + 40) << "below the axis";
    EXPECT_LT(entry.y, chart.height);
  }
  for (const Label& label : chart.labels)
    EXPECT_GE(label.x - text_width(label.text), first_panel(chart).area.left);
  EXPECT_LE(first_panel(chart).area.left + first_panel(chart).area.width, chart.width);
  EXPECT_LT(page_height(chart), chart.height) << "without the titles' room";
}

}  // namespace
