// Charts of placements before they are drawn: every value is that of its record, and nothing else is
// drawn.

#include "plots/charts/charts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/place/place.hpp"
#include "model/tiers/advice.hpp"

namespace {

using namespace gable::charts;
using gable::cli::place_table;
using gable::cli::points_of_placements;
using gable::model::Placed;
using gable::model::Status;
using gable::model::Tier;

// The tier of "DRAM" and other names of tiers; "node:1" and paths count as a file.
Tier kind_of(const std::string& tier) {
  return gable::model::named<Tier>(tier).value_or(Tier::file);
}

Placed record(const std::string& workload, const std::string& variant, const std::string& graph_tier,
              const std::string& temporary_tier, double teps, int threads = 4, bool smt = false) {
  Placed placed;
  placed.workload = workload;
  placed.variant = variant;
  if (workload == "pagerank") placed.ranks = std::stoi(variant);
  placed.graph = "kron:20";
  placed.vertices = 100;
  placed.edges = 1000;
  placed.threads = threads;
  placed.smt = smt;
  placed.parts = {
      {"graph", graph_tier, kind_of(graph_tier), "bound", 1 << 20, {{graph_tier == "DRAM" ? 0 : 2, 1 << 20}}},
      {"temporary",
       temporary_tier,
       kind_of(temporary_tier),
       "bound",
       1 << 19,
       {{temporary_tier == "DRAM" ? 0 : 2, 1 << 19}}}};
  for (int run = 0; run < 10; ++run) {
    placed.seconds.push_back(1 + 0.001 * run);
    placed.traversed.push_back(teps);
  }
  placed.verified = "another way";
  if (workload == "pagerank") placed.flops = 2e9, placed.load_bytes = 8e9, placed.store_bytes = 1e9;
  return placed;
}

// Every placement and number of ranks, without and with SMT.
std::vector<Placed> pagerank_records() {
  std::vector<Placed> all;
  for (const bool smt : {false, true}) {
    for (const char* variant : {"1 rank", "4 ranks", "16 ranks"}) {
      for (const char* graph : {"DRAM", "NVM"}) {
        for (const char* temporary : {"DRAM", "NVM"})
          all.push_back(record("pagerank", variant, graph, temporary,
                               1e6 * static_cast<double>(all.size() + 1), smt ? 8 : 4, smt));
      }
    }
  }
  return all;
}

std::vector<std::map<std::string, std::string>> rows_of(const Chart& chart) {
  std::istringstream text(chart.table.tsv());
  std::string line;
  std::getline(text, line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (const std::string& column : chart.table.columns()) std::getline(cells, rows.back()[column], '\t');
  }
  return rows;
}

std::vector<Chart> charts_of_placed(std::vector<Placed> records) {
  Recorded recorded;
  recorded.machine = "test";
  recorded.placed = std::move(records);
  return place_charts(recorded, 0);
}

TEST(PlotPlace, EveryRecordStandsWhereItBelongs) {
  const std::vector<Placed> records = pagerank_records();
  const std::vector<Chart> charts = charts_of_placed(records);
  ASSERT_EQ(charts.size(), 1u);
  EXPECT_EQ(charts[0].name, "place-pagerank-0-kron-20");
  ASSERT_EQ(charts[0].panels.size(), 2u);
  const auto rows = rows_of(charts[0]);
  ASSERT_EQ(rows.size(), records.size());
  for (const auto& row : rows) {
    const auto found = std::find_if(records.begin(), records.end(), [&](const Placed& each) {
      const auto letters = gable::model::tier_letters(records);
      return each.variant == row.at("variant") && each.smt == (row.at("smt") == "yes") &&
             gable::model::placement_code(each, letters) == row.at("placement");
    });
    ASSERT_NE(found, records.end());
    EXPECT_EQ(row.at("panel"), found->smt ? "1" : "0");
    EXPECT_EQ(row.at("x") + (row.at("x") == "1" ? " rank" : " ranks"), row.at("variant"));
    const auto teps = gable::model::teps(*found);
    EXPECT_DOUBLE_EQ(std::stod(row.at("mteps")), teps.value / 1e6);
    EXPECT_DOUBLE_EQ(std::stod(row.at("lo")), teps.lo / 1e6);
    EXPECT_DOUBLE_EQ(std::stod(row.at("hi")), teps.hi / 1e6);
    EXPECT_LT(std::stod(row.at("hi")), charts[0].panels[0].y.to);
  }
  EXPECT_EQ(charts[0].panels[0].y.to, charts[0].panels[1].y.to) << "beside each other, to be compared";
}

TEST(PlotPlace, WhatIsNoFigureIsNotDrawn) {
  std::vector<Placed> records = pagerank_records();
  for (Placed& placed : records) {
    if (!placed.smt && placed.variant != "4 ranks") continue;
    placed.status = Status::skipped;
    placed.reason = gable::model::Note("no SMT here");
    placed.seconds.clear();
    placed.traversed.clear();
  }
  const Chart chart = charts_of_placed(records).at(0);
  EXPECT_EQ(chart.panels.size(), 1u);
  int drawn = 0;
  for (const auto& row : rows_of(chart)) drawn += !row.at("mteps").empty();
  EXPECT_EQ(drawn, 8);
  EXPECT_NE(chart.note.find("Not drawn: 4"), std::string::npos);
}

TEST(PlotPlace, ASearchHasARowForEachDirectionAndAPlaceForEachGraph) {
  std::vector<Placed> records;
  for (const char* graph : {"a", "b"}) {
    for (const char* variant : {"top-down", "bottom-up", "optimizing"}) {
      for (const char* tier : {"DRAM", "NVM"}) {
        records.push_back(record("bfs", variant, tier, tier, 1e6));
        records.back().graph = graph;
      }
    }
  }
  const Chart chart = charts_of_placed(records).at(0);
  EXPECT_EQ(chart.name, "place-bfs-0");
  ASSERT_EQ(chart.panels.size(), 3u);
  for (const Panel& panel : chart.panels) {
    EXPECT_EQ(panel.area.left, chart.panels[0].area.left) << "one below the other";
    EXPECT_EQ(panel.series.at(0).mark, Mark::bars);
    EXPECT_EQ(panel.x.ticks.value().at(1).text, "b");
  }
  for (const auto& row : rows_of(chart)) EXPECT_EQ(row.at("x"), row.at("graph") == "a" ? "0" : "1");
}

TEST(PlotPlace, ThreadsAreAPictureOfTheirOwnWhereThereAreSeveral) {
  std::vector<Placed> records;
  for (const int threads : {4, 1, 2})
    records.push_back(record("bfs", "top-down", "DRAM", "DRAM", 1e6 * threads, threads));
  const std::vector<Chart> charts = charts_of_placed(records);
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[1].name, "place-bfs-threads-0-kron-20");
  const auto rows = rows_of(charts[1]);
  ASSERT_EQ(rows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(rows[i].at("x"), std::to_string(1 << i)) << "in order of the threads";
  EXPECT_EQ(rows_of(charts[0]).size(), 1u) << "of the most threads alone";
}

TEST(PlotPlace, GraphsWhoseNamesDifferInSignsAloneAreApart) {
  std::vector<Placed> records = pagerank_records();
  for (Placed placed : pagerank_records()) {
    placed.graph = "kron-20";
    records.push_back(placed);
  }
  const std::vector<Chart> charts = charts_of_placed(records);
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_NE(charts[0].name, charts[1].name);
}

TEST(PlacePoints, AreOfTheFastestVariantInEveryPlacement) {
  const auto points = points_of_placements(pagerank_records());
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].name, "pagerank kron:20, 16 ranks, DD");
  EXPECT_EQ(points[1].name, "pagerank kron:20, 16 ranks, DP");
  EXPECT_EQ(points[1].threads, 8);
  EXPECT_EQ(points[1].flops, 2e9);
  EXPECT_EQ(points[1].load_bytes, 8e9);
  EXPECT_EQ(points[1].store_bytes, 1e9);
  EXPECT_EQ(points[1].counter, "algorithm");
  EXPECT_EQ(points[1].node_bytes, (std::map<int, std::uint64_t>{{0, 1 << 20}, {2, 1 << 19}}));
  EXPECT_NEAR(points[1].seconds, 1.0045, 1e-9);
  EXPECT_LT(points[1].seconds_lo, points[1].seconds_hi);
}

TEST(PlacePoints, WhatIsMovedAsAWholeComesFromTheFirstTier) {
  std::vector<Placed> records;
  for (const char* graph : {"DRAM", "HBM", "NVM"}) {
    for (const char* temporary : {"DRAM", "HBM", "NVM"})
      records.push_back(record("pagerank", "1 rank", graph, temporary, 1e6));
  }
  const std::string first = "pagerank kron:20, 1 rank, DD";
  std::map<std::string, std::string> from;
  for (const auto& point : points_of_placements(records)) {
    if (!point.from.empty()) from[point.name] = point.from;
  }
  EXPECT_EQ(from, (std::map<std::string, std::string>{{"pagerank kron:20, 1 rank, HH", first},
                                                      {"pagerank kron:20, 1 rank, PP", first}}));
  records.front().status = gable::model::Status::invalid;
  for (const auto& point : points_of_placements(records)) EXPECT_EQ(point.from, "") << point.name;
  records.erase(records.begin());
  for (const auto& point : points_of_placements(records))
    EXPECT_EQ(point.from.empty(), point.name != "pagerank kron:20, 1 rank, PP") << point.name;
}

TEST(PlacePoints, AFileOnDaxIsOnNoNodeAndASearchIsNoPoint) {
  std::vector<Placed> records = {record("pagerank", "1 rank", "DRAM", "NVM", 1e6),
                                 record("bfs", "top-down", "DRAM", "DRAM", 1e6)};
  records[0].parts[1].node_bytes.clear();
  const auto points = points_of_placements(records);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_TRUE(points[0].node_bytes.empty()) << "half known is not known";
}

TEST(PlaceTable, TeamsBesideEachOther) {
  const std::string text = place_table(pagerank_records());
  EXPECT_NE(text.find("by number of threads"), std::string::npos);
  EXPECT_NE(text.find("8 SMT  /4"), std::string::npos) << text;
  // 24 records; the one of PP and 16 ranks is the 12th without SMT and the 24th with it.
  const auto line = text.find("PP 16 ranks");
  ASSERT_NE(line, std::string::npos);
  EXPECT_NE(text.substr(line, text.find('\n', line) - line).find("2.00"), std::string::npos) << text;
}

TEST(PlaceTable, BothVectorsAndTheOneThatWasTaken) {
  std::vector<Placed> records = {record("pagerank", "1 rank", "DRAM", "DRAM", 1e6),
                                 record("pagerank", "1 rank", "NVM", "NVM", 1e6)};
  records[0].ways = {{"vectors of ranks", 3e6}, {"vectors of neighbours", 5e6}};
  records[1].ways = {{"vectors of ranks", 77e6}};
  records[0].how = "vectors of neighbours";
  const std::string text = place_table(records);
  EXPECT_NE(text.find("5.00*"), std::string::npos) << text;
  EXPECT_NE(text.find("3.00\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("77.0"), std::string::npos) << "another placement";
}

}  // namespace
