// Rooflines of several machines over each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>

#include "plots/charts/charts.hpp"
#include "plots/charts/larm/obstacles.hpp"

namespace {

using namespace gable::charts;
using gable::model::Kind;
using gable::model::Level;
using gable::model::Pattern;
using gable::model::Roof;
using gable::model::Status;
using gable::model::Tier;

Roof overlaid(Kind kind, const std::string& level, const std::string& pattern, int node, double value) {
  Roof made;
  made.spec.kind = kind;
  made.spec.level = Level(level);
  made.spec.pattern = *gable::model::named<Pattern>(pattern);
  made.spec.node = node;
  made.spec.tier = node < 0 ? gable::model::Tiers() : node == 0 ? Tier::dram : Tier::hbm;
  made.spec.op = is_peak(kind) ? gable::model::operations::fma : gable::model::operations::load;
  made.spec.precision = is_peak(kind) ? gable::model::Precision::dp : gable::model::Precision::none;
  made.spec.threads = 4;
  made.value = value;
  made.lo = 0.98 * value;
  made.hi = 1.02 * value;
  made.unit = is_peak(kind) ? "GFlop/s" : "GB/s";
  made.n = 30;
  return made;
}

Recorded machine_of(const std::string& name, double factor) {
  Recorded recorded;
  recorded.machine = name;
  recorded.roofs.roofs = {overlaid(Kind::bandwidth, "L1", "cache", -1, 400 * factor),
                          overlaid(Kind::bandwidth, "memory", "local", 0, 30 * factor),
                          overlaid(Kind::flops, "core", "core", -1, 200 * factor)};
  return recorded;
}

std::vector<std::string> texts_of(const Chart& chart) {
  std::vector<std::string> texts;
  for (const Label& label : chart.labels) texts.push_back(label.text);
  std::ranges::sort(texts);
  return texts;
}

TEST(Overlay, EveryMachineHasItsRoofsUpToItsOwnPeak) {
  const Chart chart = overlay_chart({machine_of("old", 1), machine_of("new", 2)}, 0);
  ASSERT_EQ(chart.omitted, "");
  EXPECT_EQ(texts_of(chart), (std::vector<std::string>{"DRAM, local: 30.0 | 60.0 GB/s",
                                                       "FMA DP: 200 | 400 GFlop/s", "L1: 400 | 800 GB/s"}));
  int roofs = 0;
  for (const Series& series : chart.panels.at(0).series) {
    if (series.name.empty() || series.mark != Mark::line) continue;
    ++roofs;
    const double factor = series.name.ends_with("new") ? 2 : 1;
    const bool flops = series.name.starts_with("FMA");
    const double value = factor * (flops ? 200 : series.name.starts_with("L1") ? 400 : 30);
    ASSERT_EQ(series.data.size(), 2U);
    for (const Datum& end : series.data)
      EXPECT_NEAR(end.y, flops ? value : value * end.x, 1e-6 * end.y) << series.name;
    if (!flops) {
      EXPECT_NEAR(series.data.back().y, 200 * factor, 1e-6) << series.name;
    }
  }
  EXPECT_EQ(roofs, 6);
  ASSERT_EQ(chart.legend.size(), 2U);
  EXPECT_NE(chart.legend[0].style.colour, chart.legend[1].style.colour);
  EXPECT_NE(chart.legend[0].style.dash, chart.legend[1].style.dash);  // and in grey
}

// The labels of another machine's peaks are as wide as a column: they stand in its legend.
TEST(Overlay, InAColumnThePeaksOfTheOtherMachineAreInTheLegend) {
  Recorded recorded = machine_of("mine", 1);
  recorded.overlay = {"a machine with a long name", machine_of("", 1.1).roofs};
  for (const bool column : {false, true}) {
    recorded.column = column;
    const Chart chart = larm_chart(recorded, 0);
    const std::string peak = "a machine with a long name: FMA DP 220";
    const auto begins = [&](const auto& entry) { return entry.text.starts_with(peak); };
    EXPECT_EQ(std::ranges::any_of(chart.labels, begins), !column);
    EXPECT_EQ(std::ranges::any_of(chart.legend, begins), column);
    EXPECT_TRUE(std::ranges::any_of(chart.labels,
                                    [](const Label& label) { return label.text.starts_with("FMA DP 200"); }));
    EXPECT_TRUE(std::ranges::any_of(chart.panels.at(0).series, [&](const Series& series) {
      return series.name == "a machine with a long name: FMA DP" && series.mark == Mark::line;
    }));
  }
}

// A label above another peak's line would be read as that peak's: peaks without room are in the legend.
TEST(LarmColumn, LabelsOfPeaksStandBesideTheirOwnLines) {
  Recorded recorded = machine_of("mine", 1);
  recorded.column = true;
  for (const double factor : {2.0, 4.0}) {
    Roof more = overlaid(Kind::flops, "core", "core", -1, 200 * factor);
    more.spec.precision = gable::model::Precision::sp;
    recorded.roofs.roofs.push_back(more);
  }
  gable::model::Point point;  // makes the axes longer
  point.name = "slow";
  point.load_bytes = point.flops = 1e9;
  for (const double seconds : {1.0, 10.0, 100.0, 1000.0}) {
    point.seconds = point.seconds_lo = point.seconds_hi = seconds;
    recorded.points = {point};
    const Chart chart = larm_chart(recorded, 0);
    const Panel& panel = chart.panels.at(0);
    for (const auto& [name, value] : {std::pair("FMA DP 200", 200.0), {"FMA SP 800", 800.0}}) {
      const auto begins = [&](const auto& entry) { return entry.text.starts_with(name); };
      const auto label = std::ranges::find_if(chart.labels, begins);
      EXPECT_NE(label != chart.labels.end(), std::ranges::any_of(chart.legend, begins)) << name;
      if (label == chart.labels.end()) continue;
      const double above = panel.page_y(value) - label->y;
      EXPECT_TRUE(above > 0 && above < line_height) << name << " after " << seconds << " s: " << above;
    }
  }
  for (const LegendEntry& entry : larm_chart(recorded, 0).legend)
    EXPECT_TRUE(entry.text.ends_with(" GB/s") || entry.text.ends_with(" GFlop/s")) << entry.text;
}

// Wherever the points lie, no label of a point or a roof covers a symbol, an interval or another label.
TEST(LarmColumn, NoLabelCoversAMark) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> intensity(-3, 6), below(0, 5);
  for (int round = 0; round < 60; ++round) {
    Recorded recorded = machine_of("mine", 1);
    recorded.column = true;
    recorded.roofs.roofs.push_back(overlaid(Kind::flops, "core", "core", -1, 400));
    recorded.roofs.roofs.back().spec.precision = gable::model::Precision::sp;
    for (int i = 0; i < 5; ++i) {
      gable::model::Point point;
      point.name = "point " + std::to_string(i);
      point.flops = 1e9;
      point.load_bytes = point.flops / std::exp2(intensity(random));
      point.seconds = std::exp2(below(random)) / 400;
      point.seconds_lo = 0.9 * point.seconds;
      point.seconds_hi = 1.1 * point.seconds;
      recorded.points.push_back(point);
    }
    const Chart chart = larm_chart(recorded, 0);
    std::vector<Box> boxes = marks_in(chart.panels.at(0));
    ASSERT_GE(boxes.size(), 2 * recorded.points.size());
    for (const Label& label : chart.labels) {
      const Box box = box_of(label);
      for (const Box& before : boxes) EXPECT_FALSE(box.meets(before)) << round << ": " << label.text;
      boxes.push_back(box);
    }
  }
}

// A wide label of a lower peak does not cover the roofs before it.
TEST(LarmChart, LabelsOfPeaksStandBehindTheLastRidge) {
  Recorded recorded = machine_of("mine", 1);
  for (const auto& [op, precision, value] :
       {std::tuple("add", "sp", 201.0), {"mul", "sp", 202.0}, {"fma", "sp", 400.0}}) {
    Roof more = overlaid(Kind::flops, "core", "core", -1, value);
    more.spec.op = gable::model::Operation(op);
    more.spec.precision = *gable::model::named<gable::model::Precision>(precision);
    recorded.roofs.roofs.push_back(more);
  }
  const Chart chart = larm_chart(recorded, 0);
  const auto label = std::ranges::find_if(
      chart.labels, [](const Label& one) { return one.text.starts_with("FMA DP; ADD, MUL SP 200"); });
  ASSERT_NE(label, chart.labels.end());
  EXPECT_GT(label->x - text_width(label->text), chart.panels.at(0).page_x(400.0 / 30));
}

// An invalid roof is named, for the next one above would look like the limit; a skipped one is only counted.
TEST(LarmChart, NamesInvalidRoofs) {
  Recorded recorded = machine_of("mine", 1);
  for (const auto& [level, status] : {std::pair("L2", Status::invalid), {"L3", Status::skipped}}) {
    Roof roof = overlaid(Kind::bandwidth, level, "cache", -1, 0);
    roof.status = status;
    recorded.roofs.roofs.push_back(roof);
  }
  const std::string note = larm_chart(recorded, 0).note;
  EXPECT_NE(note.find("Not drawn: 2 skipped or invalid (invalid: L2), reasons"), std::string::npos) << note;
}

TEST(Overlay, OtherThreadsAreNamed) {
  Recorded all = machine_of("all", 1), one = machine_of("one", 1);
  EXPECT_EQ(overlay_chart({all, machine_of("again", 1)}, 0).subtitle, "");
  for (Roof& roof : one.roofs.roofs) roof.spec.threads = 1;
  one.cpu = "A64FX";
  EXPECT_EQ(overlay_chart({all, one}, 0).subtitle, "all: 4 threads; one: A64FX, 1 thread");
}

TEST(Overlay, SaysWhatAMachineLacks) {
  Recorded other = machine_of("other", 2), none = machine_of("none", 1);
  other.roofs.roofs[0].status = Status::skipped;
  other.roofs.roofs[0].reason = gable::model::Note("too small");
  other.roofs.roofs.push_back(overlaid(Kind::bandwidth, "memory", "local", 1, 90));
  none.roofs = {};
  const Chart chart = overlay_chart({machine_of("first", 1), other, none}, 0);
  EXPECT_EQ(texts_of(chart),
            (std::vector<std::string>{"DRAM, local: 30.0 | 60.0 GB/s", "FMA DP: 200 | 400 GFlop/s",
                                      "HBM, local: – | 90.0 GB/s", "L1: 400 | – GB/s"}));
  EXPECT_NE(chart.note.find("Without roofs of this cluster: none."), std::string::npos) << chart.note;
  EXPECT_NE(chart.note.find("Not drawn: 1 skipped or invalid"), std::string::npos) << chart.note;
  EXPECT_EQ(chart.table.rows(), 7U);
  EXPECT_NE(overlay_chart({machine_of("first", 1), none}, 0).omitted, "");
  EXPECT_NE(overlay_chart({machine_of("first", 1), other}, 1).omitted, "");
}

}  // namespace
