// The chart of latencies under load has a point for each load, in their order. Both charts of latencies show
// all values.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/plots/larm_machines.hpp"

namespace {

using namespace gable::charts;
using gable::charts::tests::first_panel;
using gable::charts::tests::invented_roof;
using gable::model::Kind;
using gable::model::Roof;

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

TEST(LoadedLatencyChart, FollowsTheLoadThatWasAsked) {
  Recorded recorded;
  for (const auto& [spec, reached] : {std::pair{50, 30.0}, {0, 0.0}, {100, 28.0}, {80, 33.0}}) {
    Roof point = invented_roof(Kind::loaded_latency, 100 + spec, 0, "DRAM");
    point.spec.load_percent = spec;
    point.load_gb_per_s = reached;
    recorded.roofs.roofs.push_back(point);
  }
  const Chart chart = loaded_latency_chart(recorded, 0);
  EXPECT_EQ(cells(chart, "load_percent"), (std::vector<std::string>{"0", "50", "80", "100"}));
  EXPECT_EQ(cells(chart, "load_gb_per_s"), (std::vector<std::string>{"0", "30", "33", "28"}));
}

// An interval of 0.8 to 8000 ns widens neither axis.
TEST(LatencyCharts, AnUnknownIntervalIsNoPartOfTheAxis) {
  Recorded recorded;
  for (const Kind kind : {Kind::latency, Kind::loaded_latency}) {
    recorded.roofs.roofs.push_back(invented_roof(kind, 100, 0, "DRAM"));
    recorded.roofs.roofs.push_back(invented_roof(kind, 80, 1, "DRAM"));
    recorded.roofs.roofs.back().lo = 0.8;
    recorded.roofs.roofs.back().hi = 8000;
  }
  const Chart idle = latency_chart(recorded, 0), loaded = loaded_latency_chart(recorded, 0);
  EXPECT_LT(first_panel(idle).x.to, 200);
  EXPECT_LT(first_panel(loaded).y.to, 200);
  for (const Series& series : first_panel(idle).series) {
    for (const Datum& datum : series.data) EXPECT_FALSE(datum.hi > first_panel(idle).x.to) << series.name;
  }
}

}  // namespace
