// The heat map of lines between cores.

#include <gtest/gtest.h>

#include <set>

#include "plots/charts/charts.hpp"

namespace gable::charts {
namespace {

using model::C2cFigure;
using model::C2cMeasure;

C2cFigure figure(C2cMeasure measure, unsigned from, unsigned to, double ns) {
  C2cFigure figure;
  figure.spec.measure = measure;
  figure.spec.pus = {from, to};
  figure.estimate = {ns, ns - 1, ns + 1, 60};
  figure.visits = 6;
  return figure;
}

// Two clusters of `cores` cores with two hardware threads each, in groups of `sharing`.
Recorded machine(unsigned cores, unsigned sharing) {
  Recorded recorded;
  recorded.machine = "m";
  for (unsigned core = 0; core < 2 * cores; ++core)
    recorded.cores.push_back(
        {{core, core + 2 * cores}, static_cast<int>(core / cores), static_cast<int>(core / sharing)});
  return recorded;
}

std::vector<Datum> cells_of(const Chart& chart) {
  std::vector<Datum> cells;
  for (const Series& series : chart.panels.front().series)
    cells.insert(cells.end(), series.data.begin(), series.data.end());
  return cells;
}

TEST(C2cChart, HasACellForEachMeasuredPairAndLinesBetweenClusters) {
  Recorded recorded = machine(2, 2);
  recorded.c2c = {figure(C2cMeasure::handoff, 0, 1, 20), figure(C2cMeasure::handoff, 0, 2, 200),
                  figure(C2cMeasure::handoff, 0, 4, 10)};
  const Chart chart = c2c_chart(recorded, C2cMeasure::handoff);
  ASSERT_TRUE(chart.omitted.empty());
  std::set<std::pair<double, double>> places;
  for (const Datum& cell : cells_of(chart)) places.emplace(cell.y, cell.x);
  EXPECT_EQ(places, (std::set<std::pair<double, double>>{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {0, 0}}))
      << "hand-offs have no direction; the diagonal has the hardware threads of a core";
  EXPECT_EQ(chart.strokes.size(), 2u) << "one border, across and down";
  EXPECT_EQ(chart.strokes.front().x_from, chart.panels.front().page_x(1.5));
  EXPECT_NE(chart.note.find("White: not measured"), std::string::npos);
  EXPECT_EQ(chart.table.rows(), 3u);
}

TEST(C2cChart, DarkerIsSlowerInOneColour) {
  Recorded recorded = machine(2, 2);
  recorded.c2c = {figure(C2cMeasure::handoff, 0, 1, 20), figure(C2cMeasure::handoff, 0, 2, 100),
                  figure(C2cMeasure::handoff, 0, 3, 200)};
  const Chart chart = c2c_chart(recorded, C2cMeasure::handoff);
  std::vector<double> shades(4, -1);
  for (const Datum& cell : cells_of(chart))
    if (cell.y == 0) shades[static_cast<std::size_t>(cell.x)] = cell.lo;
  EXPECT_LT(shades[1], shades[2]);
  EXPECT_LT(shades[2], shades[3]);
  std::set<Colour> colours;
  for (const Series& series : chart.panels.front().series) colours.insert(series.style.colour);
  EXPECT_EQ(colours.size(), 1u);
}

TEST(C2cChart, ReadingHasADirection) {
  Recorded recorded = machine(2, 2);
  recorded.c2c = {figure(C2cMeasure::modified, 3, 1, 20)};
  const Chart chart = c2c_chart(recorded, C2cMeasure::modified);
  const std::vector<Datum> cells = cells_of(chart);
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].y, 3) << "the row has the line";
  EXPECT_EQ(cells[0].x, 1) << "the column reads it";
}

TEST(C2cChart, OfLargeMachinesHasGroupsThatShareACache) {
  Recorded recorded = machine(48, 8);
  recorded.c2c = {figure(C2cMeasure::handoff, 0, 9, 100), figure(C2cMeasure::handoff, 1, 8, 120),
                  figure(C2cMeasure::handoff, 3, 12, 140)};
  const Chart chart = c2c_chart(recorded, C2cMeasure::handoff);
  EXPECT_EQ(cells_of(chart).size(), 2u) << "three pairs between two groups";
  EXPECT_EQ(chart.panels.front().x.to, 11.5);
  EXPECT_NE(chart.note.find("group of cores"), std::string::npos);
  EXPECT_EQ(chart.panels.size(), 1u) << "twelve rows have their values as texts";
  const Chart each = c2c_chart(
      [] {
        Recorded few_groups = machine(48, 48);
        few_groups.c2c = {figure(C2cMeasure::handoff, 0, 9, 100)};
        return few_groups;
      }(),
      C2cMeasure::handoff);
  EXPECT_EQ(each.panels.front().x.to, 95.5) << "two groups would show nothing";
  EXPECT_EQ(each.panels.size(), 2u) << "the shades have a scale";
}

TEST(C2cChart, WithoutFiguresSaysWhy) {
  Recorded recorded = machine(2, 2);
  EXPECT_TRUE(c2c_charts(recorded).empty());
  C2cFigure invalid = figure(C2cMeasure::handoff, 0, 1, 20);
  invalid.status = model::Status::invalid;
  recorded.c2c = {invalid};
  EXPECT_NE(c2c_chart(recorded, C2cMeasure::handoff).omitted.find("no locked increment"), std::string::npos);
}

}  // namespace
}  // namespace gable::charts
