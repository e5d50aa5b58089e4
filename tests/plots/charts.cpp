// Charts before they are drawn: their tables, axes and series.

#include "plots/charts/charts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <sstream>

#include "cli/fit/tables.hpp"
#include "model/roofs/interval.hpp"
#include "plots/charts/larm/roof_lines.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace {

using namespace gable::charts;
using gable::cli::roof_table;
using gable::model::interval_percent;
using gable::model::Kind;
using gable::model::Level;
using gable::model::Pattern;
using gable::model::Roof;
using gable::model::Tier;

Roof roof(Kind kind, double value, int node, const std::string& tier) {
  Roof made;
  made.spec.kind = kind;
  made.spec.level = Level::memory();
  made.spec.pattern = Pattern::local;
  made.spec.node = node;
  made.spec.tier = *gable::model::tiers_named(tier);
  made.spec.op = gable::model::operations::load;
  made.spec.pages = *gable::model::pages_named("4k");
  made.spec.kernel = "load_avx2";
  made.spec.threads = 4;
  made.value = value;
  made.lo = 0.9931 * value;
  made.hi = 1.004 * value;
  made.unit = kind == Kind::bandwidth ? "GB/s" : is_peak(kind) ? "GFlop/s" : "ns";
  made.n = 30;
  return made;
}

Roof peak(double value) {
  Roof made = roof(Kind::flops, value, -1, "");
  made.spec.level = Level::core();
  made.spec.pattern = Pattern::core;
  made.spec.op = gable::model::operations::fma;
  made.spec.precision = gable::model::Precision::dp;
  return made;
}

const Panel& panel(const Chart& chart) {
  return chart.panels.at(0);
}

bool mentions(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::vector<std::string> cells(const Chart& chart, const std::string& column) {
  std::istringstream text(chart.table.tsv());
  std::vector<std::string> found;
  const auto& columns = chart.table.columns();
  const auto at = std::find(columns.begin(), columns.end(), column) - columns.begin();
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    std::istringstream fields(line);
    std::string field;
    for (auto i = 0; i <= at; ++i) std::getline(fields, field, '\t');
    found.push_back(field);
  }
  return found;
}

TEST(LarmChart, WithoutPeaksShowsTheRoofsAndLittleElse) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  recorded.roofs.roofs = {roof(Kind::bandwidth, 100, 0, "DRAM"), roof(Kind::bandwidth, 10, 1, "NVM")};
  const Chart chart = larm_chart(recorded, 0);
  const double octaves = std::log2(panel(chart).y.to / panel(chart).y.from);
  EXPECT_LT(octaves, std::log2(10.0) + 7) << "the roofs lie a factor of ten apart";
  EXPECT_GT(octaves, std::log2(10.0) + 2);
}

TEST(Charts, NameTheKindOfCores) {
  Recorded recorded;
  recorded.machine = "laptop";
  recorded.core_kinds = {{0, "P"}, {1, "kind 0"}};
  recorded.roofs.roofs = {roof(Kind::bandwidth, 100, 0, "DRAM")};
  EXPECT_NE(larm_chart(recorded, 0).title.find("cluster 0 (P cores) of laptop"), std::string::npos);
  EXPECT_EQ(gable::charts::cluster_text(recorded, 1), "cluster 1 (kind 0 cores)");
  EXPECT_EQ(gable::charts::cluster_text(recorded, 2), "cluster 2");
}

TEST(LarmChart, NoPeakCrossesALabel) {
  Recorded recorded;
  recorded.roofs.roofs = {roof(Kind::bandwidth, 100, 0, "DRAM")};
  for (const char* op : {"fma", "add", "mul"}) {
    for (const double sp : {1.0, 2.0}) {
      Roof one = peak((op[0] == 'f' ? 135 : op[0] == 'a' ? 67.7 : 63.8) * sp);
      one.spec.op = gable::model::Operation(op),
      one.spec.precision = sp > 1 ? gable::model::Precision::sp : gable::model::Precision::dp;
      recorded.roofs.roofs.push_back(one);
    }
  }
  const Chart chart = larm_chart(recorded, 0);
  std::vector<double> lines;
  for (const Roof& each : recorded.roofs.roofs)
    if (is_peak(each.spec.kind)) lines.push_back(panel(chart).page_y(each.value));
  int labels = 0;
  for (const auto& label : chart.labels) {
    if (!label.text.starts_with("FMA") && !label.text.starts_with("ADD") && !label.text.starts_with("MUL"))
      continue;
    ++labels;
    for (const double line : lines) EXPECT_GT(std::abs(line - label.y), 8) << label.text;
  }
  EXPECT_GE(labels, 3);
}

TEST(LarmChart, PeaksAreToldApartByTheirDashes) {
  std::set<std::vector<double>> dashes;
  for (const char* op : {"fma", "add"}) {
    for (const auto precision : {gable::model::Precision::sp, gable::model::Precision::dp}) {
      Roof one = peak(100);
      one.spec.op = gable::model::Operation(op);
      one.spec.precision = precision;
      dashes.insert(gable::charts::roof_style(one.spec).dash);
    }
  }
  EXPECT_EQ(dashes.size(), 4u);
}

TEST(LarmChart, DoesNotDrawWhatIsNoRoof) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  recorded.roofs.roofs = {roof(Kind::bandwidth, 100, 0, "DRAM"), peak(135)};
  const Chart plain = larm_chart(recorded, 0);
  for (const char* op : {"div", "sqrt", "add_scalar", "fma_scalar"}) {
    recorded.roofs.roofs.push_back(peak(500));
    recorded.roofs.roofs.back().spec.op = gable::model::Operation(op);
  }
  recorded.roofs.roofs.push_back(roof(Kind::random, 500, 0, "DRAM"));
  recorded.roofs.roofs.back().spec.op = gable::model::operations::random;
  const Chart chart = larm_chart(recorded, 0);
  ASSERT_EQ(chart.panels.size(), plain.panels.size());
  EXPECT_EQ(panel(chart).series.size(), panel(plain).series.size());
  EXPECT_EQ(chart.labels.size(), plain.labels.size());
  EXPECT_EQ(panel(chart).page_y(100), panel(plain).page_y(100));
}

TEST(LarmChart, ShadesBetweenTheSlowestAndTheFastestLocalMemory) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  Roof far = roof(Kind::bandwidth, 5, 3, "DRAM"), lost = roof(Kind::bandwidth, 500, 4, "HBM");
  far.spec.pattern = Pattern::remote;
  lost.status = gable::model::Status::invalid;
  recorded.roofs.roofs = {roof(Kind::bandwidth, 40, 0, "DRAM"), roof(Kind::bandwidth, 90, 1, "HBM"), far,
                          lost, peak(500)};
  const auto shade = [](const Chart& chart) {  // GB/s at its corners
    std::set<double> bandwidths;
    for (const Series& series : panel(chart).series) {
      if (series.mark != Mark::area || series.style.opacity < 1 || series.style.colour == 0xffffff) continue;
      for (const Datum& corner : series.data) bandwidths.insert(std::round(corner.y / corner.x));
    }
    return bandwidths;
  };
  Chart chart = larm_chart(recorded, 0);
  EXPECT_EQ(shade(chart), (std::set<double>{40, 90}));
  EXPECT_TRUE(mentions(chart.note, "DRAM node 0 and HBM node 1")) << chart.note;

  recorded.roofs.roofs.erase(recorded.roofs.roofs.begin() + 1);
  chart = larm_chart(recorded, 0);
  EXPECT_TRUE(shade(chart).empty()) << "one local memory spans no range";
}

// Equation 5 of figure 13: each share of the fast memory has its roof, and its colour.
TEST(LarmChart, FittedMixesMakeAGradient) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  recorded.roofs.roofs = {roof(Kind::bandwidth, 40, 0, "DRAM"), roof(Kind::bandwidth, 90, 1, "HBM"),
                          peak(500)};
  gable::model::HybridPair pair;
  pair.slow.node = 0;
  pair.fast.node = 1;
  using gable::model::Law;
  using gable::model::Transfer;
  for (const auto& [x, y, gb_per_s] :
       {std::tuple{Transfer::ls, Transfer::lf, 40.0}, {Transfer::lf, Transfer::ls, 90.0}}) {
    pair.fit.bandwidths[x].gb_per_s = gable::model::Estimate{gb_per_s, gb_per_s, gb_per_s, 9};
    pair.fit.model(Law::equation5).theta[x][y].value = 0.5;
  }
  recorded.hybrid.pairs = {pair};
  const Chart chart = larm_chart(recorded, 0);
  std::set<double> bandwidths;
  std::set<Colour> colours;
  for (const Series& series : panel(chart).series) {
    if (series.mark != Mark::area || series.style.opacity < 1 || series.style.colour == 0xffffff) continue;
    colours.insert(series.style.colour);
    for (const Datum& corner : series.data) bandwidths.insert(std::round(100 * corner.y / corner.x) / 100);
  }
  EXPECT_EQ(colours.size(), 20u);
  EXPECT_TRUE(bandwidths.contains(40) && bandwidths.contains(90));
  EXPECT_TRUE(bandwidths.contains(std::round(100 / (0.5 / 40 + 0.5 * 0.5 / 90)) / 100)) << "half and half";
  EXPECT_TRUE(mentions(chart.note, "Gradient: roofs of data spread over DRAM node 0 (pale) and HBM node 1"))
      << chart.note;
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
  recorded.roofs.roofs = {roof(Kind::bandwidth, 100, 0, "DRAM"), roof(Kind::bandwidth, 10, 1, "NVM"),
                          peak(500)};
  const auto axes = [&] {
    const Panel drawn = panel(larm_chart(recorded, 0));
    return std::vector<double>{drawn.x.ticks->front().at, drawn.x.ticks->back().at, drawn.y.from, drawn.y.to};
  };
  const std::vector<double> alone = axes();
  const std::vector<std::pair<double, double>> far = {{1e-4, 1e-3}, {1, 1e-3}, {1e6, 1},
                                                      {1e-4, 1},    {1, 1e7},  {20000, 0.5}};
  for (const auto& [x, y] : far) recorded.points.push_back(point_at("far", x, y));
  EXPECT_EQ(axes(), alone);
  const Chart chart = larm_chart(recorded, 0);
  std::size_t next = 0;
  for (const Series& arrow : panel(chart).series) {
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

TEST(LarmChart, SaysWherePublishedFiguresComeFrom) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  Roof published = roof(Kind::bandwidth, 40, 0, "DRAM");
  published.source = "A table";
  recorded.roofs.roofs = {published};
  Chart chart = larm_chart(recorded, 0);
  EXPECT_TRUE(mentions(chart.subtitle, "figures of A table"));
  EXPECT_TRUE(mentions(chart.note, "intervals as published"));
  recorded.roofs.roofs[0].lo = recorded.roofs.roofs[0].hi = 40;
  chart = larm_chart(recorded, 0);
  EXPECT_FALSE(mentions(chart.note, "interval"));
}

gable::model::Validation validation(const Roof& of, double rms, double paper) {
  gable::model::Validation made;
  made.roof = of.spec;
  made.roof.pages = {};
  made.roof.kernel = "";
  made.rms_percent = rms;
  made.paper_percent = paper;
  return made;
}

TEST(LarmChart, TheNoteHasTheErrorsOfTheRoofsThatAreDrawn) {
  const Roof one = roof(Kind::bandwidth, 40, 0, "DRAM"), other = roof(Kind::bandwidth, 39.9, 1, "DRAM");
  const std::vector<gable::model::Validation> two = {validation(one, 1.24, 0.311),
                                                     validation(other, 3.06, 1.02)};
  EXPECT_EQ(error_text(two, {one}), "1.2 % (RMS) off their roof");
  EXPECT_EQ(error_text(two, {one, other}), "1.2 to 3.1 % (RMS) off their roofs");
  EXPECT_EQ(error_text(two, {roof(Kind::bandwidth, 39.8, 2, "DRAM")}), "");
}

TEST(LarmChart, ErrorsOfOtherRoofsAreNotShown) {
  const Roof mine = roof(Kind::bandwidth, 40, 0, "DRAM");
  for (const auto& change : std::vector<std::function<void(Roof&)>>{
           [](Roof& r) { r.spec.cluster = 1; }, [](Roof& r) { r.spec.node = 1; },
           [](Roof& r) { r.spec.tier = Tier::hbm; }, [](Roof& r) { r.spec.pattern = Pattern::remote; },
           [](Roof& r) { r.spec.level = Level::cache(1); },
           [](Roof& r) { r.spec.op = gable::model::operations::store; },
           [](Roof& r) { r.spec.threads = 8; }}) {
    Roof another = mine;
    change(another);
    EXPECT_EQ(error_text({validation(mine, 1, 0.5)}, {another}), "");
  }
  gable::model::Validation without = validation(mine, 1, 0.5);
  without.rms_percent.reset();
  EXPECT_EQ(error_text({without}, {mine}), "") << "no point was ok";
}

bool has_series(const Chart& chart, const std::string& name) {
  return std::ranges::any_of(panel(chart).series, [&](const Series& series) { return series.name == name; });
}

// What is hidden is on the chart nowhere, and the axes have no room for it.
TEST(LarmChart, LeavesOutWhatIsHidden) {
  Recorded recorded;
  recorded.roofs.roofs = {roof(Kind::bandwidth, 90, 1, "HBM"), roof(Kind::bandwidth, 1, 0, "DRAM"),
                          peak(500)};
  const double lowest = panel(larm_chart(recorded, 0)).y.from;
  EXPECT_TRUE(has_series(larm_chart(recorded, 0), "DRAM node 0, local"));
  recorded.hidden = {"dram node"};
  const Chart chart = larm_chart(recorded, 0);
  EXPECT_TRUE(has_series(chart, "HBM node 1, local"));
  EXPECT_FALSE(mentions(chart.table.tsv(), "DRAM"));
  EXPECT_GT(panel(chart).y.from, 10 * lowest);
  for (const Label& label : chart.labels) EXPECT_FALSE(mentions(label.text, "DRAM")) << label.text;
}

TEST(LarmChart, DrawsAnotherMachinesRoofsOverItsOwn) {
  Recorded recorded;
  recorded.roofs.roofs = {roof(Kind::bandwidth, 90, 1, "HBM"), peak(500)};
  Roof elsewhere = roof(Kind::bandwidth, 10, 0, "DRAM"), unseen = roof(Kind::bandwidth, 20, 0, "DRAM");
  elsewhere.spec.cluster = 2;
  unseen.spec.cluster = 3;
  recorded.overlay = Overlay{"other", {}};
  recorded.overlay->roofs.roofs = {elsewhere, unseen};
  const Chart chart = larm_chart(recorded, 0);
  EXPECT_TRUE(has_series(chart, "other: DRAM node 0, local")) << "its first cluster, as it has no cluster 0";
  EXPECT_EQ(std::ranges::count(panel(chart).series, "other: DRAM node 0, local", &Series::name), 1);
  for (const Series& series : panel(chart).series) {
    const bool own = series.name == "HBM node 1, local";
    if (own || series.name == "other: DRAM node 0, local") {
      EXPECT_EQ(series.style.dash.empty(), own) << series.name;
    }
  }
  EXPECT_TRUE(mentions(chart.note, "roofs of other"));
}

// In a paper's column everything lies on the page, and the page is as wide as letters of 7 points need.
TEST(LarmChart, FitsIntoAPapersColumn) {
  Recorded recorded;
  recorded.column = true;
  for (int node = 0; node < 12; ++node)
    recorded.roofs.roofs.push_back(
        roof(Kind::bandwidth, std::exp2(node), node, node % 2 == 0 ? "DRAM" : "HBM"));
  recorded.roofs.roofs.push_back(peak(500));
  const Chart chart = larm_chart(recorded, 0);
  ASSERT_TRUE(chart.column);
  EXPECT_EQ(chart.width, column_page);
  EXPECT_EQ(chart.legend.size(), 12u) << "every roof has its name";
  for (const LegendEntry& entry : chart.legend) {
    EXPECT_LE(entry.x + 30 + text_width(entry.text), chart.width) << entry.text;
    EXPECT_GT(entry.y, panel(chart).area.top + panel(chart).area.height + 40) << "below the axis";
    EXPECT_LT(entry.y, chart.height);
  }
  for (const Label& label : chart.labels) EXPECT_GE(label.x - text_width(label.text), panel(chart).area.left);
  EXPECT_LE(panel(chart).area.left + panel(chart).area.width, chart.width);
  EXPECT_LT(page_height(chart), chart.height) << "without the titles' room";
}

// Cells of the grid are not roofs of one memory.
TEST(LarmChart, LeavesTheGridOut) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  Roof cell = roof(Kind::bandwidth, 70, 0, "DRAM+HBM");
  cell.spec.pattern = Pattern::hybrid;
  recorded.roofs.roofs = {roof(Kind::bandwidth, 40, 0, "DRAM"), cell};
  EXPECT_EQ(larm_chart(recorded, 0).table.rows(), 1u);
}

TEST(LoadedLatencyChart, FollowsTheLoadThatWasAsked) {
  Recorded recorded;
  for (const auto& [spec, reached] : {std::pair{50, 30.0}, {0, 0.0}, {100, 28.0}, {80, 33.0}}) {
    Roof point = roof(Kind::loaded_latency, 100 + spec, 0, "DRAM");
    point.spec.load_percent = spec;
    point.load_gb_per_s = reached;
    recorded.roofs.roofs.push_back(point);
  }
  const Chart chart = loaded_latency_chart(recorded, 0);
  EXPECT_EQ(cells(chart, "load_percent"), (std::vector<std::string>{"0", "50", "80", "100"}));
  EXPECT_EQ(cells(chart, "load_gb_per_s"), (std::vector<std::string>{"0", "30", "33", "28"}));
}

TEST(Interval, IsTheSameInTheTableAndOnTheChart) {
  for (const double lo : {0.9931, 0.99, 0.8361, 0.5}) {
    Roof one = roof(Kind::bandwidth, 100, 0, "DRAM");
    one.lo = 100 * lo;
    const double distance = interval_percent(one).value();
    EXPECT_GE(distance, 100 * (1 - lo) - 1e-9) << "flattered";
    EXPECT_LT(distance, 100 * (1 - lo) + 0.1 + 1e-9);
    const std::string percent = fmt::format("{:.1f}", distance);
    gable::model::Roofs roofs;
    roofs.roofs = {one};
    EXPECT_NE(roof_table(roofs).find(" " + percent + " %"), std::string::npos);
    EXPECT_EQ(interval_text(one), " ±" + percent + " %");
    EXPECT_FALSE(has_wide_interval(one));
  }
  Roof wide = roof(Kind::bandwidth, 100, 0, "DRAM");
  wide.lo = 13, wide.hi = 1060;
  EXPECT_EQ(interval_text(wide), " (13.0 to 1060)");
}

}  // namespace
