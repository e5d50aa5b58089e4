#include "plots/charts/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <utility>

#include "plots/charts/recorded.hpp"
#include "plots/charts/table.hpp"
#include "plots/gnuplot/script.hpp"

namespace {

using namespace gable::charts;
using gable::model::Roof;

TEST(PlotText, ThreeDigits) {
  EXPECT_EQ(three_digits(512.3), "512");
  EXPECT_EQ(three_digits(83.14), "83.1");
  EXPECT_EQ(three_digits(9.469), "9.47");
  EXPECT_EQ(three_digits(12345), "12345");
  EXPECT_EQ(three_digits(0.0123), "0.0123");
}

TEST(PlotText, Nodes) {
  EXPECT_EQ(nodes_text({3}), "node 3");
  EXPECT_EQ(nodes_text({5, 0, 2, 1}), "nodes 0–2, 5");
  EXPECT_EQ(nodes_text({1, 2}), "nodes 1, 2");
  EXPECT_EQ(nodes_text({-1}), "all nodes");
}

TEST(PlotText, IntervalIsNeverFlattered) {
  Roof roof;
  roof.value = 100;
  roof.lo = 99.95;
  roof.hi = 100.41;
  EXPECT_EQ(interval_text(roof), " ±0.5 %");
  roof.lo = roof.hi = 100;
  EXPECT_EQ(interval_text(roof), "");
}

// Every chart with a ± explains to which end it refers.
TEST(PlotText, PlusMinusIsExplained) {
  Roof roof;
  roof.value = 100;
  roof.lo = 60;
  roof.hi = 101;
  EXPECT_EQ(interval_text(roof), " ±40.0 %");
  EXPECT_NE(interval_note("Bands", {roof}, true).find("±: distance to the further end"), std::string::npos);
  EXPECT_EQ(interval_note("Bands", {roof}, false).find("±"), std::string::npos);
  EXPECT_EQ(interval_note("", {roof}, true).find("±: distance to the further end"), 0u);
  roof.lo = roof.hi = 100;
  EXPECT_EQ(interval_note("Bands", {roof}, true), "");
}

TEST(PlotTable, WritesNumbersThatReadBack) {
  Table table({"a", "b"});
  table.add_row();
  table.set("a", 0.1 + 0.2);
  table.set("b", std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(table.tsv(), "a\tb\n0.30000000000000004\t\n");
  EXPECT_THROW(table.set("c", 1), std::logic_error);
}

TEST(PlotTable, LeavesNoStructureInText) {
  Table table({"a"});
  table.add_row();
  table.set("a", "x\ty\nz \"q\" c:\\n");
  EXPECT_EQ(table.tsv(), "a\nx y z 'q' c:/n\n");
}

TEST(PlotGnuplot, SourceIsOneQuotedText) {
  EXPECT_EQ(gable::gnuplot::quoted("it's \\n $(x) `y`\n"), "'it''s \\n $(x) `y` '");
}

Panel unit_panel(Scale scale) {
  Panel panel;
  panel.area = {100, 50, 200, 100};
  panel.x = {"", 1, 16, scale};
  panel.y = {"", 0, 10};
  return panel;
}

TEST(PlotPanel, PlacesAreThoseOfTheAxes) {
  const Panel linear = unit_panel(Scale::linear), octaves = unit_panel(Scale::log2);
  EXPECT_DOUBLE_EQ(linear.page_x(8.5), 200);
  EXPECT_DOUBLE_EQ(octaves.page_x(4), 200) << "half of the four octaves";
  EXPECT_DOUBLE_EQ(linear.page_y(10), 50) << "the page begins at its top";
  EXPECT_DOUBLE_EQ(linear.page_y(0), 150);
  for (const double share : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(octaves.x.share_of(octaves.x.value_at(share)), share, 1e-12);
    EXPECT_NEAR(linear.x.share_of(linear.x.value_at(share)), share, 1e-12);
  }
}

TEST(PlotPanel, IntervalsEndAtTheAxesAndHaveCapsInside) {
  Panel panel = unit_panel(Scale::linear);
  Style style;
  style.capped = true;
  panel.series = {{"one", Mark::intervals, style, {{4, 5, 2, 30}}}};
  std::string data;
  const std::string command = gable::gnuplot::plot_command(panel, data);
  EXPECT_NE(data.find("\n4 2\n4 10\n"), std::string::npos) << data;
  EXPECT_EQ(data.find("30"), std::string::npos) << data;
  EXPECT_EQ(std::count(data.begin(), data.end(), '\n'), 1 + 3 + 3 + 1) << "one stroke and one cap: " << data;
  EXPECT_NE(command.find("title 'one'"), std::string::npos);
}

std::vector<std::pair<double, double>> drawn_corners(const std::vector<Datum>& area) {
  Panel panel = unit_panel(Scale::log2);
  panel.series = {{"area", Mark::area, Style{}, area}};
  std::string data;
  gable::gnuplot::plot_command(panel, data);
  std::istringstream lines(data.substr(data.find('\n') + 1));
  std::vector<std::pair<double, double>> corners;
  for (double x = 0, y = 0; lines >> x >> y;) corners.emplace_back(x, y);
  return corners;
}

// gnuplot would move the corners outside of the axes, and with them the edges.
TEST(PlotPanel, AreasEndAtTheAxesAndKeepTheirEdges) {
  const std::vector<std::pair<double, double>> as_it_is = {{2, 1}, {4, 5}, {8, 2}, {2, 1}};
  EXPECT_EQ(drawn_corners({{2, 1}, {4, 5}, {8, 2}}), as_it_is);
  // The corners go from (1, 0) two octaves up to (4, 10), and on to y 20; then back down to (16, 10).
  const auto cut = drawn_corners({{1, 0}, {16, 20}, {16, 0}});
  ASSERT_EQ(cut.size(), 5U);
  EXPECT_NE(std::ranges::find(cut, std::pair(4.0, 10.0)), cut.end());
  EXPECT_NE(std::ranges::find(cut, std::pair(16.0, 10.0)), cut.end());
  for (const auto& [x, y] : cut) EXPECT_TRUE(x >= 1 && x <= 16 && y >= 0 && y <= 10) << x << " " << y;
  EXPECT_EQ(drawn_corners({{2, 20}, {4, 30}, {8, 20}}).size(), 2U) << "the series keeps its place";
}

TEST(PlotPanel, APanelWithoutSeriesIsStillDrawn) {
  std::string data;
  EXPECT_EQ(gable::gnuplot::plot_command(unit_panel(Scale::linear), data), "plot NaN notitle\n");
}

TEST(PlotNote, IsFoldedToThePage) {
  Chart chart;
  chart.width = 300;
  for (int i = 0; i < 40; ++i) chart.note += (i > 0 ? " word" : "word") + std::to_string(i);
  std::string joined;
  for (const std::string& line : note_lines(chart)) {
    EXPECT_LT(text_width(line) * 10 / 12, 300);
    joined += (joined.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(joined, chart.note) << "nothing is lost";
  chart.note = std::string(400, 'x');
  EXPECT_EQ(note_lines(chart).size(), 1u) << "a word is not cut";
}

}  // namespace
