// The Locality-Aware Roofline chart draws the roofs of its cluster, tells them apart, and draws nothing else.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plots/charts/styles.hpp"
#include "tests/plots/larm_machines.hpp"

namespace {

using namespace gable::charts;
using gable::charts::tests::first_panel;
using gable::charts::tests::invented_peak;
using gable::charts::tests::invented_roof;
using gable::charts::tests::mentions;
using gable::model::Kind;
using gable::model::Pattern;
using gable::model::Roof;

TEST(LarmChart, PeaksAreToldApartByTheirDashes) {
  std::set<std::vector<double>> dashes;
  for (const char* op : {"fma", "add"}) {
    for (const auto precision : {gable::model::Precision::sp, gable::model::Precision::dp}) {
      Roof one = invented_peak(100);
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
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 100, 0, "DRAM"), invented_peak(135)};
  const Chart plain = larm_chart(recorded, 0);
  for (const char* op : {"div", "sqrt", "add_scalar", "fma_scalar"}) {
    recorded.roofs.roofs.push_back(invented_peak(500));
    recorded.roofs.roofs.back().spec.op = gable::model::Operation(op);
  }
  recorded.roofs.roofs.push_back(invented_roof(Kind::random, 500, 0, "DRAM"));
  recorded.roofs.roofs.back().spec.op = gable::model::operations::random;
  const Chart chart = larm_chart(recorded, 0);
  ASSERT_EQ(chart.panels.size(), plain.panels.size());
  EXPECT_EQ(first_panel(chart).series.size(), first_panel(plain).series.size());
  EXPECT_EQ(chart.labels.size(), plain.labels.size());
  EXPECT_EQ(first_panel(chart).page_y(100), first_panel(plain).page_y(100));
}

// Cells of the grid are not roofs of one memory.
TEST(LarmChart, LeavesTheGridOut) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  Roof cell = invented_roof(Kind::bandwidth, 70, 0, "DRAM+HBM");
  cell.spec.pattern = Pattern::hybrid;
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 40, 0, "DRAM"), cell};
  EXPECT_EQ(larm_chart(recorded, 0).table.rows(), 1u);
}

bool has_series(const Chart& chart, const std::string& name) {
  return std::ranges::any_of(first_panel(chart).series,
                             [&](const Series& series) { return series.name == name; });
}

// What is hidden is on the chart nowhere, and the axes have no room for it.
TEST(LarmChart, LeavesOutWhatIsHidden) {
  Recorded recorded;
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 90, 1, "HBM"),
                          invented_roof(Kind::bandwidth, 1, 0, "DRAM"), invented_peak(500)};
  const double lowest = first_panel(larm_chart(recorded, 0)).y.from;
  EXPECT_TRUE(has_series(larm_chart(recorded, 0), "DRAM node 0, local"));
  recorded.hidden = {"dram node"};
  const Chart chart = larm_chart(recorded, 0);
  EXPECT_TRUE(has_series(chart, "HBM node 1, local"));
  EXPECT_FALSE(mentions(chart.table.tsv(), "DRAM"));
  EXPECT_GT(first_panel(chart).y.from, 10 * lowest);
  for (const Label& label : chart.labels) EXPECT_FALSE(mentions(label.text, "DRAM")) << label.text;
}

TEST(LarmChart, DrawsAnotherMachinesRoofsOverItsOwn) {
  Recorded recorded;
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 90, 1, "HBM"), invented_peak(500)};
  Roof elsewhere = invented_roof(Kind::bandwidth, 10, 0, "DRAM"),
       unseen = invented_roof(Kind::bandwidth, 20, 0, "DRAM");
  elsewhere.spec.cluster = 2;
  unseen.spec.cluster = 3;
  recorded.overlay = Overlay{"other", {}};
  recorded.overlay->roofs.roofs = {elsewhere, unseen};
  const Chart chart = larm_chart(recorded, 0);
  EXPECT_TRUE(has_series(chart, "other: DRAM node 0, local")) << "its first cluster, as it has no cluster 0";
  EXPECT_EQ(std::ranges::count(first_panel(chart).series, "other: DRAM node 0, local", &Series::name), 1);
  for (const Series& series : first_panel(chart).series) {
    const bool own = series.name == "HBM node 1, local";
    if (own || series.name == "other: DRAM node 0, local") {
      EXPECT_EQ(series.style.dash.empty(), own) << series.name;
    }
  }
  EXPECT_TRUE(mentions(chart.note, "roofs of other"));
}

TEST(LarmChart, ShadesBetweenTheSlowestAndTheFastestLocalMemory) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  Roof far = invented_roof(Kind::bandwidth, 5, 3, "DRAM"),
       lost = invented_roof(Kind::bandwidth, 500, 4, "HBM");
  far.spec.pattern = Pattern::remote;
  lost.status = gable::model::Status::invalid;
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 40, 0, "DRAM"),
                          invented_roof(Kind::bandwidth, 90, 1, "HBM"), far, lost, invented_peak(500)};
  const auto shade = [](const Chart& chart) {  // GB/s at its corners
    std::set<double> bandwidths;
    for (const Series& series : first_panel(chart).series) {
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
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 40, 0, "DRAM"),
                          invented_roof(Kind::bandwidth, 90, 1, "HBM"), invented_peak(500)};
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
  for (const Series& series : first_panel(chart).series) {
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

}  // namespace
