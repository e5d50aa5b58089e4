// More than a dozen applications on a Locality-Aware Roofline chart: numbers, and names in the legend.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plots/charts/charts.hpp"
#include "plots/charts/larm/points/points.hpp"

namespace {

using namespace gable::charts;
using gable::model::Kind;
using gable::model::Roof;
using gable::model::Tier;

Recorded with_many(std::size_t count) {
  Recorded recorded;
  Roof roof;
  roof.spec.kind = Kind::bandwidth;
  roof.spec.node = 0;
  roof.spec.tier = Tier::dram;
  roof.spec.op = gable::model::operations::load;
  roof.value = roof.lo = roof.hi = 40;
  roof.unit = "GB/s";
  recorded.roofs.roofs = {roof};
  for (std::size_t i = 0; i < count; ++i) {
    gable::model::Point point;
    point.name = "program " + std::to_string(10 + i);
    point.flops = 1e9 * static_cast<double>(1 + i % 4);
    point.load_bytes = 8e9 + 1e9 * static_cast<double>(i);
    point.seconds = point.seconds_lo = point.seconds_hi = 1;
    recorded.points.push_back(point);
  }
  return recorded;
}

// The labels of the points, in their order.
std::vector<std::string> point_texts(const Chart& chart) {
  std::vector<std::string> texts;
  for (const Label& label : chart.labels) {
    if (label.groups.size() == 1 && label.groups[0].starts_with("program")) texts.push_back(label.text);
  }
  return texts;
}

std::vector<std::string> legend_texts(const Chart& chart) {
  std::vector<std::string> texts;
  for (const LegendEntry& entry : chart.legend) {
    if (entry.mark == Mark::points) texts.push_back(entry.text);
  }
  return texts;
}

TEST(LarmNumbers, StandForNamesOfMoreThanADozen) {
  for (const bool column : {false, true}) {
    Recorded recorded = with_many(most_names + 1);
    recorded.column = column;
    const Chart chart = larm_chart(recorded, 0);
    const std::vector<std::string> texts = point_texts(chart), legend = legend_texts(chart);
    ASSERT_EQ(texts.size(), recorded.points.size());
    ASSERT_EQ(legend.size(), recorded.points.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(texts[i], std::to_string(i + 1));
      EXPECT_EQ(legend[i], texts[i] + " " + recorded.points[i].name);
      const auto symbol =
          std::ranges::find(chart.panels.at(0).series, recorded.points[i].name, &Series::name);
      ASSERT_NE(symbol, chart.panels.at(0).series.end());
      const auto entry = std::ranges::find(chart.legend, legend[i], &LegendEntry::text);
      EXPECT_EQ(entry->style.symbol, symbol->style.symbol);
      EXPECT_EQ(entry->style.colour, symbol->style.colour);
      EXPECT_LE(entry->x + 30 + 0.95 * text_width(entry->text), chart.width) << "on the page";
      EXPECT_GT(entry->y, chart.panels.at(0).area.top + chart.panels.at(0).area.height + 40);
      EXPECT_LT(entry->y, chart.height);
    }
    EXPECT_NE(chart.table.tsv().find("program 22"), std::string::npos) << "the table has the names";
  }
}

TEST(LarmNumbers, ADozenHasItsNames) {
  const Recorded recorded = with_many(most_names);
  const Chart chart = larm_chart(recorded, 0);
  std::vector<std::string> names;
  for (const auto& point : recorded.points) names.push_back(point.name);
  EXPECT_EQ(point_texts(chart), names);
  EXPECT_TRUE(chart.legend.empty());
}

// What stands at the edge, or names another point, does so by number.
TEST(LarmNumbers, AreThoseOfOrigins) {
  Recorded recorded = with_many(most_names + 1);
  recorded.points[4] = recorded.points[2];
  recorded.points[4].name = "program again";
  recorded.points[4].from = recorded.points[2].name;
  recorded.points[6].load_bytes = 1e20;
  const std::vector<std::string> texts = point_texts(larm_chart(recorded, 0));
  EXPECT_EQ(texts.at(4), "5 (from 3)");
  EXPECT_TRUE(texts.at(6).starts_with("7: ")) << texts.at(6);
}

}  // namespace
