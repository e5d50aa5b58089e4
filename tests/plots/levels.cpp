// Applications whose bytes by level are known: their dots on the Locality-Aware Roofline chart.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "plots/charts/charts.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/larm/points/point_levels.hpp"

namespace {

using namespace gable::charts;
using gable::model::Kind;
using gable::model::Level;
using gable::model::Limit;
using gable::model::Pattern;
using gable::model::Point;
using gable::model::Reading;
using gable::model::Roof;
using gable::model::Tier;

Roof level_roof(const std::string& level, double value, Tier tier = Tier::dram, int node = 0) {
  Roof made;
  made.spec.kind = level == "core" ? Kind::flops : Kind::bandwidth;
  made.spec.level = Level(level);
  made.spec.pattern = level == "memory" ? Pattern::local : level == "core" ? Pattern::core : Pattern::cache;
  made.spec.op = level == "core" ? gable::model::operations::fma : gable::model::operations::load;
  if (level == "core") made.spec.precision = gable::model::Precision::dp;
  if (level == "memory") {
    made.spec.node = node;
    made.spec.tier = tier;
  }
  made.spec.threads = 4;
  made.value = made.lo = made.hi = value;
  made.unit = level == "core" ? "GFlop/s" : "GB/s";
  made.n = 30;
  return made;
}

// Its traffic shrinks from 80 GB of its instructions to 32 GB of memory, whose roof it reaches.
Point shrinking() {
  Point point;
  point.name = "cg";
  point.threads = 4;
  point.flops = 8e9;
  point.load_bytes = 70e9;
  point.store_bytes = 10e9;
  point.levels = {{Level("L2"), 60e9, 4e9}, {Level("L3"), 40e9, 0}, {Level::memory(), 30e9, 2e9}};
  point.seconds = point.seconds_lo = point.seconds_hi = 1;
  point.node_bytes = {{0, 1e9}};
  return point;
}

Recorded with_point(const Point& point) {
  Recorded recorded;
  recorded.roofs.roofs = {level_roof("L1", 800), level_roof("L2", 400), level_roof("L3", 200),
                          level_roof("memory", 33), level_roof("core", 500)};
  recorded.points = {point};
  return recorded;
}

// The places and looks of the dots by the names of their levels, as they are drawn.
std::vector<const Series*> dots_of(const Chart& chart) {
  std::vector<const Series*> dots;
  for (const Series& series : chart.panels.at(0).series) {
    if (series.mark == Mark::points && series.group == "cg" && !series.name.empty()) dots.push_back(&series);
  }
  return dots;
}

std::vector<std::vector<std::string>> level_rows(const Chart& chart) {
  std::vector<std::vector<std::string>> rows;
  const std::vector<std::string>& columns = chart.table.columns();
  const auto cell = [&](const gable::Row& row, const std::string& column) {
    return row.at(static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin())).text;
  };
  for (const auto& row : chart.table.cells()) {
    if (cell(row, "kind") == "level")
      rows.push_back({cell(row, "point"), cell(row, "level"), cell(row, "label"), cell(row, "flop_per_byte"),
                      cell(row, "value"), cell(row, "binds")});
  }
  return rows;
}

TEST(LarmLevels, StandAtTheIntensityOfTheirBytes) {
  const Chart chart = larm_chart(with_point(shrinking()), 0);
  const std::vector<std::vector<std::string>> rows = {{"cg", "L1", "L1", "0.1", "8", "no"},
                                                      {"cg", "L2", "L2", "0.125", "8", "no"},
                                                      {"cg", "L3", "L3", "0.2", "8", "no"},
                                                      {"cg", "memory", "DRAM", "0.25", "8", "yes"}};
  EXPECT_EQ(level_rows(chart), rows) << "from L1 to memory, by rising intensity";

  const std::vector<const Series*> dots = dots_of(chart);
  ASSERT_EQ(dots.size(), 3u) << "L1 is the symbol of the point";
  for (std::size_t i = 0; i < dots.size(); ++i) {
    EXPECT_EQ(dots[i]->name, "cg, " + rows[i + 1][2]);
    EXPECT_EQ(dots[i]->data.at(0).x, std::stod(rows[i + 1][3]));
    EXPECT_EQ(dots[i]->data.at(0).y, 8);
    EXPECT_EQ(dots[i]->style.symbol, i == 2 ? Symbol::disc : Symbol::ring) << "memory binds";
  }
  const auto is_line = [](const Series& series) {
    return series.mark == Mark::line && series.group == "cg" && series.data.size() == 2 &&
           series.data[0].y == 8 && series.data[1].y == 8 && series.data[0].x > 0.1 &&
           series.data[0].x < 0.11 && std::abs(series.data[1].x - 0.25) < 1e-9;
  };
  EXPECT_EQ(std::ranges::count_if(chart.panels.at(0).series, is_line), 1)
      << "joins them, from the edge of the symbol";
  EXPECT_NE(chart.note.find("filled: the level that takes most"), std::string::npos) << chart.note;
}

TEST(LarmLevels, HaveLabelsThatCoverNothing) {
  for (const bool column : {false, true}) {
    Recorded recorded = with_point(shrinking());
    recorded.column = column;
    const Chart chart = larm_chart(recorded, 0);
    const Panel& panel = chart.panels.at(0);
    std::set<std::string> texts;
    for (const Label& label : chart.labels) {
      if (label.groups != std::vector<std::string>{"cg"}) continue;
      texts.insert(label.text);
      for (const Box& mark : marks_in(panel)) EXPECT_FALSE(mark.meets(box_of(label))) << label.text;
      for (const Label& other : chart.labels) {
        if (&other == &label) continue;
        EXPECT_FALSE(box_of(other).meets(box_of(label))) << label.text << " on " << other.text;
      }
    }
    EXPECT_TRUE(texts.contains("cg") && texts.contains("DRAM")) << "the name, and the level that binds";
    EXPECT_GE(texts.size(), column ? 3u : 5u) << "there is room for all on the wide chart";
  }
}

TEST(LarmLevels, AreOfPointsThatHaveThemAlone) {
  Point without = shrinking();
  without.levels.clear();
  const Chart chart = larm_chart(with_point(without), 0);
  EXPECT_TRUE(dots_of(chart).empty());
  EXPECT_TRUE(level_rows(chart).empty());
  EXPECT_EQ(chart.note.find("Dots on the line"), std::string::npos);
  for (const Label& label : chart.labels) EXPECT_NE(label.text, "DRAM");
}

TEST(LarmLevels, WithoutBytesAreLeftOut) {
  Point resident = shrinking();
  resident.levels = {{Level("L2"), 60e9, 4e9}, {Level("L3"), 0, 0}, {Level::memory(), 0, 0}};
  const Recorded recorded = with_point(resident);
  ASSERT_EQ(level_rows(larm_chart(recorded, 0)).size(), 2u);
  EXPECT_EQ(dots_of(larm_chart(recorded, 0)).size(), 1u);
  Recorded hidden = with_point(shrinking());
  hidden.hidden = {"cg, l2"};
  EXPECT_EQ(level_rows(larm_chart(hidden, 0)).size(), 3u);
}

// A level a decade beyond the roofs has room on the axis; further ones are at the edge, so that they do not
// squeeze the roofs.
TEST(LarmLevels, HaveRoomOnTheAxis) {
  Point point = shrinking();
  const auto axis_end = [&] { return larm_chart(with_point(point), 0).panels.at(0).x.to; };
  const double usual = axis_end();
  point.levels.back() = {Level::memory(), point.flops / (4 * usual), 0};
  EXPECT_GT(axis_end(), 4 * usual);
  EXPECT_EQ(larm_chart(with_point(point), 0).note.find("Arrows at the edge"), std::string::npos);
  point.levels.back() = {Level::memory(), point.flops / (1e4 * usual), 0};
  EXPECT_EQ(axis_end(), usual);
  const Chart chart = larm_chart(with_point(point), 0);
  EXPECT_EQ(dots_of(chart).size(), 2u);
  EXPECT_NE(chart.note.find("Arrows at the edge: levels beyond it."), std::string::npos) << chart.note;
  const auto arrow = std::ranges::find(chart.panels.at(0).series, Mark::arrow, &Series::mark);
  ASSERT_NE(arrow, chart.panels.at(0).series.end());
  EXPECT_GT(arrow->data.at(1).x, arrow->data.at(0).x) << "points to the level";
  EXPECT_EQ(arrow->data.at(0).y, 8);
}

// Which of them binds.
std::string marked(const Recorded& recorded, const Reading& reading) {
  std::string names;
  for (const PlacedLevel& level :
       placed_levels(recorded, recorded.points.at(0), reading, recorded.points.at(0).flops))
    if (level.binds) names += level.label + " ";
  return names;
}

TEST(LarmLevels, AreMarkedByTheVerdict) {
  const Recorded recorded = with_point(shrinking());
  Reading reading;
  reading.flop_per_byte = 0.1;
  reading.roof = "a roof";
  const auto marked_as = [&](Limit::Kind kind, const std::string& level) {
    reading.limit.kind = kind;
    reading.limit.level = Level(level);
    return marked(recorded, reading);
  };
  EXPECT_EQ(marked_as(Limit::Kind::cache, "L1"), "L1 ");
  EXPECT_EQ(marked_as(Limit::Kind::cache, "L3"), "L3 ");
  EXPECT_EQ(marked_as(Limit::Kind::memory, "memory"), "DRAM ");
  EXPECT_EQ(marked_as(Limit::Kind::hybrid, "memory"), "DRAM ");
  EXPECT_EQ(marked_as(Limit::Kind::side_cache, "MCDRAM"), "DRAM ") << "it serves the memory's bytes";
  EXPECT_EQ(marked_as(Limit::Kind::irregular, "memory"), "DRAM ");
  EXPECT_EQ(marked_as(Limit::Kind::flops, "core"), "");
  EXPECT_EQ(marked_as(Limit::Kind::chain, "memory"), "") << "its loads are of several levels";
  reading.headroom_known = false;
  EXPECT_EQ(marked_as(Limit::Kind::memory, "memory"), "") << "undecided";
  reading.headroom_known = true;
  reading.roof.clear();
  EXPECT_EQ(marked_as(Limit::Kind::memory, "memory"), "") << "nothing binds";
}

TEST(LarmLevels, NameTheMemoryThatHasTheData) {
  Recorded recorded = with_point(shrinking());
  const auto memory = [&] { return placed_levels(recorded, recorded.points.at(0), {}, 1).back().label; };
  recorded.points[0].node_bytes.clear();
  EXPECT_EQ(memory(), "DRAM") << "there is no other";
  recorded.roofs.roofs.push_back(level_roof("memory", 300, Tier::hbm, 1));
  EXPECT_EQ(memory(), "memory") << "it may be in either";
  recorded.points[0].node_bytes = {{1, 1e9}};
  EXPECT_EQ(memory(), "HBM");
  recorded.points[0].node_bytes = {{0, 1e9}, {1, 1e9}};
  EXPECT_EQ(memory(), "DRAM+HBM");
}

// L1 has the symbol of the point; if it binds, a circle around it.
TEST(LarmLevels, ACircleMarksTheSymbol) {
  PlacedPoint point{"cg", 0.1, 8, 8, 8};
  point.levels = {{Level("L1"), "L1", 0.1, true}, {Level::memory(), "DRAM", 0.2, false}};
  Panel panel;
  panel.area = {0, 0, 640, 640};
  panel.x = {"", std::exp2(-5), std::exp2(5), Scale::log2};
  panel.y = {"", std::exp2(-2), std::exp2(8), Scale::log10};
  add_binding_dot(panel, point, {}, {0, 640, 0, 640});
  const auto circle = std::ranges::find(panel.series, "cg, L1", &Series::name);
  ASSERT_NE(circle, panel.series.end());
  EXPECT_EQ(circle->style.symbol, Symbol::ring);
  EXPECT_GT(circle->style.size, 1.5);
  EXPECT_EQ(circle->data.at(0).x, 0.1);
  EXPECT_NE(levels_note({point}).find("a circle around its symbol: L1"), std::string::npos);
}

}  // namespace
