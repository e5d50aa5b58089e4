// The roofs of applications with data in several memories, on the Locality-Aware Roofline chart.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plots/charts/charts.hpp"
#include "plots/charts/larm/mix_roofs.hpp"

namespace {

using namespace gable::charts;
using gable::model::Kind;
using gable::model::Level;
using gable::model::Pattern;
using gable::model::Point;
using gable::model::Roof;
using gable::model::Tier;

Roof bandwidth(const std::string& pattern, int cluster, int node, const std::string& tier, double value) {
  Roof made;
  made.spec.kind = Kind::bandwidth;
  made.spec.level = Level::memory();
  made.spec.cluster = cluster;
  made.spec.pattern = *gable::model::named<Pattern>(pattern);
  made.spec.node = node;
  made.spec.tier = *gable::model::tiers_named(tier);
  made.spec.op = gable::model::operations::load;
  made.spec.threads = 4;
  made.value = made.lo = made.hi = value;
  made.unit = "GB/s";
  return made;
}

Roof peak(int cluster) {
  Roof made = bandwidth("core", cluster, -1, "", 500);
  made.spec.kind = Kind::flops;
  made.spec.level = Level::core();
  made.spec.op = gable::model::operations::fma;
  made.spec.precision = gable::model::Precision::dp;
  made.unit = "GFlop/s";
  return made;
}

// Two clusters with DRAM and HBM each, as in flat mode; the tiers have other roofs on each cluster.
Recorded flat_machine() {
  Recorded recorded;
  for (const int cluster : {0, 1}) {
    const double scale = cluster == 0 ? 1 : 2;
    for (const Roof& roof : {bandwidth("local", cluster, 2 * cluster, "DRAM", 40 * scale),
                             bandwidth("local", cluster, 2 * cluster + 1, "HBM", 100 * scale),
                             bandwidth("congested", cluster, -1, "DRAM", 20 * scale),
                             bandwidth("congested", cluster, -1, "HBM", 80 * scale), peak(cluster)})
      recorded.roofs.roofs.push_back(roof);
  }
  recorded.roofs.machine_tiers = {{0, Tier::dram}, {1, Tier::hbm}, {2, Tier::dram}, {3, Tier::hbm}};
  return recorded;
}

// Half in each tier, on all nodes; both clusters together move twice `gb_per_s`.
Point split_point(const std::string& name, double gb_per_s) {
  Point point;
  point.name = name;
  point.cluster = -1;
  point.alone = false;
  point.policy = "interleave";
  point.seconds = point.seconds_lo = point.seconds_hi = 1;
  point.load_bytes = 2e9 * gb_per_s;
  point.flops = point.load_bytes / 8;
  point.node_bytes = {{0, 1000}, {1, 1000}, {2, 1000}, {3, 1000}};
  return point;
}

void add(Recorded& recorded, const Point& point) {
  recorded.points.push_back(point);
  recorded.readings.push_back(gable::model::read_point(recorded.roofs, point));
}

std::vector<std::string> drawn_names(const Chart& chart) {
  std::vector<std::string> names;
  for (const Series& series : chart.panels.at(0).series) {
    if (series.mark == Mark::line && !series.name.empty()) names.push_back(series.name);
  }
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The bandwidths at which lines of this group begin, ascending.
std::vector<double> bandwidths_of(const Chart& chart, const std::string& group) {
  std::vector<double> values;
  for (const Series& series : chart.panels.at(0).series) {
    if (series.mark == Mark::line && series.group_name() == group && series.data.size() == 2 &&
        series.data[0].x < series.data[1].x &&
        std::abs(series.data[0].y / series.data[0].x - series.data[1].y / series.data[1].x) < 1e-6)
      values.push_back(series.data[0].y / series.data[0].x);
  }
  std::ranges::sort(values);
  return values;
}

// Text and picture agree: the roof that the text names and judges the point by is on the chart, between the
// two bounds of the text.
TEST(MixRoofs, TheRoofOfAMixOfTiersIsDrawnAsThePointIsRead) {
  Recorded recorded = flat_machine();
  add(recorded, split_point("half in each", 30));
  const gable::model::Reading& reading = recorded.readings[0];
  const std::string name = "50 % DRAM and 50 % HBM, congested";
  ASSERT_EQ(reading.roof, name);
  const Chart chart = larm_chart(recorded, reading.cluster);
  ASSERT_TRUE(has(drawn_names(chart), name));
  const std::vector<double> lines = bandwidths_of(chart, name);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NEAR(lines[0], reading.limit.lo, 1e-9);
  EXPECT_NEAR(lines[1], reading.limit.value, 1e-9);
  EXPECT_NE(chart.note.find("Pale violet"), std::string::npos) << chart.note;
  EXPECT_EQ(chart.note.find("confidence"), std::string::npos) << "bounds are no interval: " << chart.note;
  const bool labelled = std::ranges::any_of(
      chart.labels, [&](const Label& label) { return label.text == name + " 32.0 to 40.0"; });
  EXPECT_TRUE(labelled);
  EXPECT_NE(chart.table.tsv().find("\tmix\t"), std::string::npos);
}

// A point of all clusters is on every chart, under the mix of that cluster's roofs.
TEST(MixRoofs, EveryClusterDrawsItsOwnMix) {
  Recorded recorded = flat_machine();
  add(recorded, split_point("half in each", 30));
  const auto value_on = [&](int cluster) { return mix_roofs(recorded, cluster).at(0).value; };
  EXPECT_NEAR(value_on(0), 40, 1e-9);
  EXPECT_NEAR(value_on(1), 80, 1e-9);
}

TEST(MixRoofs, PointsOfTheSameMixShareItsRoof) {
  Recorded recorded = flat_machine();
  add(recorded, split_point("one", 30));
  add(recorded, split_point("two", 20));
  EXPECT_EQ(mix_roofs(recorded, 0).size(), 1U);
  recorded.hidden = {"one"};
  EXPECT_EQ(mix_roofs(recorded, 0).size(), 1U);
  recorded.hidden = {"one", "two"};
  EXPECT_TRUE(mix_roofs(recorded, 0).empty()) << "a hidden point has no roof";
}

TEST(MixRoofs, APointBelowAnotherRoofHasNone) {
  Recorded recorded = flat_machine();
  Point local = split_point("in DRAM", 15);
  local.node_bytes = {{0, 1000}, {2, 1000}};
  add(recorded, local);
  EXPECT_TRUE(mix_roofs(recorded, 0).empty());
  EXPECT_EQ(larm_chart(recorded, 0).note.find("Pale violet"), std::string::npos);
}

// The roof of one cluster's application: of a fitted model with its interval, else between bounds.
TEST(MixRoofs, AnApplicationHasItsOwnHybridRoof) {
  Recorded recorded = flat_machine();
  gable::model::Reading reading;
  reading.roof = "hybrid";
  reading.limit.kind = gable::model::Limit::Kind::hybrid;
  reading.limit.pattern = Pattern::hybrid;
  reading.limit.value = 61;
  reading.limit.lo = 60;
  reading.limit.hi = 62;
  recorded.points.resize(3);
  recorded.readings = {reading, reading, reading};
  recorded.points[0].name = "stencil";
  recorded.points[1].name = "elsewhere";
  recorded.readings[1].cluster = 1;
  recorded.points[2].name = "unfitted";
  recorded.readings[2].limit.fitted = false;
  recorded.readings[2].limit.value = 62;
  const std::string table = larm_chart(recorded, 0).table.tsv();
  EXPECT_NE(table.find("stencil: hybrid roof 61.0 ±1.7 %"), std::string::npos) << table;
  EXPECT_EQ(table.find("elsewhere: hybrid"), std::string::npos);
  EXPECT_NE(table.find("unfitted: hybrid roof 60.0 to 62.0"), std::string::npos) << table;
}

}  // namespace
