// Charts for a paper's column: all have its width, and what lies at the edge of the page stays on it.

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "base/words.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/virt/charts.hpp"
#include "plots/gnuplot/script.hpp"

namespace {

using namespace gable::charts;
using gable::model::Kind;
using gable::model::Level;
using gable::model::Pattern;
using gable::model::Roof;
using gable::model::Tier;

Roof roof(Kind kind, Pattern pattern, double value) {
  Roof made;
  made.spec.kind = kind;
  made.spec.level = pattern == Pattern::ladder ? Level::any() : Level::memory();
  made.spec.pattern = pattern;
  made.spec.node = 0;
  made.spec.tier = Tier::dram;
  made.spec.op = gable::model::operations::load;
  made.spec.kernel = kind == Kind::latency ? "chase_x86" : "load_avx2";
  made.spec.pages = *gable::model::pages_named("2m");
  made.spec.threads = 1;
  made.value = value;
  made.lo = 0.99 * value;
  made.hi = 1.01 * value;
  made.unit = kind == Kind::bandwidth ? "GB/s" : "ns";
  made.n = 30;
  return made;
}

// A machine with figures of every kind, whose ladder leads from 2^least to 2^most bytes.
Recorded recorded_in_column(int least, int most) {
  Recorded recorded;
  recorded.column = true;
  for (const int node : {0, 1}) {
    for (const Kind kind : {Kind::bandwidth, Kind::latency}) {
      recorded.roofs.roofs.push_back(roof(kind, Pattern::local, 40));
      recorded.roofs.roofs.back().spec.node = node;
    }
    for (const int load : {0, 50, 100}) {
      recorded.roofs.roofs.push_back(roof(Kind::loaded_latency, Pattern::local, 90.0 + load));
      recorded.roofs.roofs.back().spec.node = node;
      recorded.roofs.roofs.back().spec.load_percent = load;
      recorded.roofs.roofs.back().load_gb_per_s = 0.6 * load;
    }
  }
  for (int k = least; k <= most; ++k) {
    for (const Kind kind : {Kind::bandwidth, Kind::latency}) {
      recorded.roofs.ladder.push_back(roof(kind, Pattern::ladder, 1000.0 / k));
      recorded.roofs.ladder.back().spec.bytes = std::uint64_t{1} << k;
    }
  }
  return recorded;
}

void expect_in_column(const Chart& chart) {
  EXPECT_TRUE(chart.column) << chart.name;
  EXPECT_EQ(chart.omitted, "") << chart.name;
  EXPECT_EQ(chart.width, column_page) << chart.name;
  for (const Panel& panel : chart.panels) {
    EXPECT_GT(panel.area.width, 0.7 * column_page) << chart.name;
    EXPECT_LE(panel.area.left + panel.area.width, column_page) << chart.name;
  }
  for (const LegendEntry& entry : chart.legend)
    EXPECT_LE(entry.x + 30 + 0.95 * text_width(entry.text), column_page) << chart.name;
}

// Gnuplot's SVG gives two lines of the same colour and width the dashes of the first.
TEST(ColumnCharts, DashesInTheLegendAreTheirOwn) {
  Chart chart;
  chart.panels.emplace_back();
  chart.legend.push_back({"single", Mark::line, {0x555555, 1.8, {7, 4}}, false, 8, 20});
  chart.legend.push_back({"double", Mark::line, {0x555555, 1.8, {}}, false, 8, 40});
  const std::string script = gable::gnuplot::script_of(chart, "svg", "chart.svg", "");
  std::set<std::string> widths;
  const std::regex line("set arrow [^\n]* linewidth ([0-9.]+) ");
  for (std::sregex_iterator found(script.begin(), script.end(), line), end; found != end; ++found)
    widths.insert((*found)[1]);
  EXPECT_EQ(widths.size(), 2u) << script;
}

TEST(ColumnCharts, HaveTheWidthOfTheColumn) {
  const std::vector<Chart> charts = charts_of(recorded_in_column(12, 28), -1, true);
  EXPECT_EQ(charts.size(), 6u);
  for (const Chart& chart : charts) expect_in_column(chart);
  std::vector<gable::model::ScalePoint> points(2);
  points[1].nodes = 64;
  for (auto& point : points) point.slowdown.value = point.slowdown.lo = point.slowdown.hi = 1.2;
  expect_in_column(scale_chart({{"noise", points, {}}}, false, true));
}

// Titles that gnuplot places may lie beyond the page: the program has them at places of their own.
TEST(ColumnCharts, HaveTheTitleOfTheYAxisOnThePage) {
  for (const Chart& chart : charts_of(recorded_in_column(12, 28), -1, true)) {
    const std::string script = gable::gnuplot::script_of(chart, "svg", "chart.svg", "");
    for (const Panel& panel : chart.panels) {
      if (panel.y.title.empty()) continue;
      const std::regex label("set label '" +
                             std::regex_replace(panel.y.title.text(), std::regex("[()]"), "\\$&") +
                             "' at screen ([0-9.]+),[0-9.]+ center front rotate by 90");
      std::smatch place;
      ASSERT_TRUE(std::regex_search(script, place, label)) << chart.name << ": " << panel.y.title.text();
      EXPECT_GE(std::stod(place[1]) * column_page, 9) << "half a line of letters";
      EXPECT_EQ(script.find("set ylabel '" + panel.y.title.text()), std::string::npos) << chart.name;
    }
  }
}

// The axes are as long as the values need: the note says where an interval is longer.
TEST(LadderChart, TellsOfIntervalsThatLeaveTheFrame) {
  Recorded recorded = recorded_in_column(12, 28);
  EXPECT_EQ(ladder_chart(recorded, 0).note, "Error bars: 95 % confidence intervals.");
  recorded.roofs.ladder.back().hi = 100 * recorded.roofs.ladder.back().value;
  EXPECT_EQ(ladder_chart(recorded, 0).note,
            "Error bars: 95 % confidence intervals; a bar that reaches the frame extends beyond it.");
  recorded.roofs.levels = {{0, Level::cache(1), 32768, 32768, true, {}}};
  EXPECT_TRUE(ladder_chart(recorded, 0).note.starts_with("Caches: L1 32 KiB confirmed. Error bars: "));
}

// Wherever the ladder begins and ends, its axis has texts there; they neither touch nor leave the page.
TEST(LadderChart, HasTextsAtBothEndsOfItsAxis) {
  for (const bool column : {false, true}) {
    for (int least = 10; least < 16; ++least) {
      for (int most = least + 1; most < 32; ++most) {
        Recorded recorded = recorded_in_column(least, most);
        recorded.column = column;
        const Chart chart = ladder_chart(recorded, 0);
        const Panel& panel = chart.panels.back();
        const std::vector<Tick>& ticks = *panel.x.ticks;
        EXPECT_EQ(ticks.front().text, gable::bytes_text(std::uint64_t{1} << least));
        EXPECT_EQ(ticks.back().text, gable::bytes_text(std::uint64_t{1} << most));
        EXPECT_EQ(ticks.back().at, panel.x.to);
        EXPECT_LE(panel.page_x(panel.x.to) + 0.5 * text_width(ticks.back().text), chart.width);
        for (std::size_t i = 1; i < ticks.size(); ++i)
          EXPECT_GT(panel.page_x(ticks[i].at) - panel.page_x(ticks[i - 1].at), text_width("256 MiB") + 6);
      }
    }
  }
}

}  // namespace
