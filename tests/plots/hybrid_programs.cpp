// Points on the surface of a hybrid model whose θ are known: they lie on it exactly, wherever it is.

#include "plots/charts/hybrid/panels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "plots/charts/charts.hpp"

namespace {

using namespace gable::charts;
using gable::model::HybridPair;
using gable::model::Law;
using gable::model::Point;
using gable::model::Transfer;
using gable::model::transfers;

constexpr int slow_node = 2, fast_node = 5;
constexpr double ls = 40, ss = 20, lf = 90, sf = 60, theta = 0.4;

HybridPair known_pair() {
  HybridPair pair;
  pair.slow = {slow_node, gable::model::Tier::dram};
  pair.fast = {fast_node, gable::model::Tier::hbm};
  const gable::model::PerTransfer<double> gb_per_s = {{ls, ss, lf, sf}};
  for (const Transfer x : transfers) {
    pair.fit.bandwidths[x].gb_per_s = gable::model::Estimate{gb_per_s[x], gb_per_s[x], gb_per_s[x], 9};
    for (const Transfer y : transfers) {
      if (x != y) pair.fit.model(Law::equation5).theta[x][y].value = theta;
    }
  }
  pair.fit.best = Law::equation5;
  return pair;
}

// Equation 5 by hand, for gigabytes of each transfer.
double seconds_of(double load_slow, double store_slow, double load_fast, double store_fast) {
  const double times[] = {load_slow / ls, store_slow / ss, load_fast / lf, store_fast / sf};
  double sum = 0, longest = 0;
  for (const double time : times) {
    sum += time;
    longest = std::max(longest, time);
  }
  return longest + theta * (sum - longest);
}

// `slow` and `fast`: gigabytes loaded and stored.
Point accessing(const std::string& name, std::pair<double, double> slow, std::pair<double, double> fast) {
  Point point;
  point.name = name;
  point.load_bytes = 1e9 * (slow.first + fast.first);
  point.store_bytes = 1e9 * (slow.second + fast.second);
  point.flops = 1e9;
  point.seconds = seconds_of(slow.first, slow.second, fast.first, fast.second);
  point.seconds_lo = 0.98 * point.seconds;
  point.seconds_hi = 1.03 * point.seconds;
  point.access_source = gable::model::AccessSource::given;
  point.access = {{slow_node, -1, 1e9 * slow.first, 1e9 * slow.second},
                  {fast_node, -1, 1e9 * fast.first, 1e9 * fast.second}};
  return point;
}

Recorded recorded_with(const std::vector<Point>& points) {
  Recorded recorded;
  recorded.machine = "known";
  recorded.points = points;
  return recorded;
}

TEST(HybridPrograms, CornersAndDiagonalsLieOnTheSurface) {
  std::vector<Point> points = {
      accessing("corner loads slow", {8, 0}, {0, 0}), accessing("corner stores slow", {0, 8}, {0, 0}),
      accessing("corner loads fast", {0, 0}, {8, 0}), accessing("corner stores fast", {0, 0}, {0, 8})};
  for (int part = 1; part < 8; ++part) {
    points.push_back(accessing("rising " + std::to_string(part), {0, 8.0 - part}, {part, 0}));
    points.push_back(accessing("falling " + std::to_string(part), {8.0 - part, 0}, {0, part}));
  }
  const Recorded recorded = recorded_with(points);
  const std::vector<HybridPoint> drawn = points_on(recorded, known_pair());
  ASSERT_EQ(drawn.size(), points.size());
  const double corners[] = {ls, ss, lf, sf};
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const HybridPoint& point = drawn[i];
    const std::string& name = points[i].name;
    if (i < 4) {
      EXPECT_NEAR(point.gb_per_s, corners[i], 1e-9) << name;
    }
    EXPECT_EQ(point.distance_text(), "at the model") << name;
    EXPECT_NEAR(point.gb_per_s, *point.model, 1e-9 * *point.model) << name;
    EXPECT_NEAR(*point.with_fast(point.fast_percent()), *point.model, 1e-9 * *point.model) << name;
    EXPECT_NEAR(*point.with_loads(point.load_percent()), *point.model, 1e-9 * *point.model) << name;
    EXPECT_LT(point.lo, point.gb_per_s);
    EXPECT_GT(point.hi, point.gb_per_s);
  }
  EXPECT_EQ(drawn[4].fast_percent(), 12.5) << "a byte in eight is loaded from the fast memory";
  EXPECT_EQ(drawn[4].load_percent(), 12.5);
}

// Times with noise of 1 %, and their 95 % intervals.
TEST(HybridPrograms, UnderNoiseTheModelIsInTheIntervalsOfThePoints) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, 0.01);
  std::uniform_real_distribution<double> gigabytes(0.1, 8);
  constexpr int count = 400;
  int inside = 0;
  for (int i = 0; i < count; ++i) {
    Point point =
        accessing("any", {gigabytes(random), gigabytes(random)}, {gigabytes(random), gigabytes(random)});
    point.seconds *= std::exp(noise(random));
    point.seconds_lo = point.seconds * std::exp(-1.96 * 0.01);
    point.seconds_hi = point.seconds * std::exp(1.96 * 0.01);
    const HybridPoint drawn = points_on(recorded_with({point}), known_pair()).front();
    inside += drawn.lo <= *drawn.model && *drawn.model <= drawn.hi ? 1 : 0;
  }
  EXPECT_GT(inside, 0.91 * count);
  EXPECT_LT(inside, 0.99 * count);
}

TEST(HybridPrograms, TheDistanceToTheModelIsTold) {
  Point slow = accessing("slow", {3, 1}, {3, 1});
  slow.seconds *= 1.25;
  slow.seconds_hi *= 1.25;
  const Recorded recorded = recorded_with({slow});
  EXPECT_EQ(points_on(recorded, known_pair()).front().distance_text(), "20 % below the model");
}

TEST(HybridPrograms, PointsOfOtherMemoriesAreNotOnTheChart) {
  Point elsewhere = accessing("elsewhere", {4, 0}, {4, 0});
  elsewhere.access[0].node = 7;
  Point busy = accessing("busy", {4, 0}, {4, 0});
  busy.alone = false;
  EXPECT_TRUE(points_on(recorded_with({elsewhere, busy}), known_pair()).empty());
  const Chart chart = hybrid_programs_chart(recorded_with({elsewhere}), known_pair());
  EXPECT_EQ(chart.omitted, "no point uses these two memories alone");
}

// Two clusters alike, each with memories of its own; the grid of all clusters has the known model.
TEST(HybridPrograms, PointsOfAllClustersLieOnTheGridOfAllClusters) {
  Point point = accessing("busy", {3, 1}, {5, 2});
  point.cluster = -1;
  point.alone = false;
  point.threads = 2;
  for (gable::model::NodeAccess& access : point.access) access.cluster = 0;
  for (gable::model::NodeAccess access : std::vector(point.access)) {
    access.cluster = 1;
    access.node += 10;
    point.access.push_back(access);
  }
  point.load_bytes *= 2;
  point.store_bytes *= 2;
  Recorded recorded = recorded_with({point});
  for (const int cluster : {0, 1}) {
    recorded.roofs.machine_cores[cluster] = 1;
    for (const int node : {slow_node, fast_node}) {
      gable::model::Roof& roof = recorded.roofs.roofs.emplace_back();
      roof.spec.cluster = cluster;
      roof.spec.level = gable::model::Level::memory();
      roof.spec.node = node + 10 * cluster;
      roof.spec.tier = node == slow_node ? gable::model::Tier::dram : gable::model::Tier::hbm;
    }
  }
  HybridPair alone = known_pair(), all = known_pair();
  all.all_clusters = true;
  for (auto& [gb_per_s, unused] : alone.fit.bandwidths) gb_per_s->value *= 1.3;
  recorded.hybrid.pairs = {alone, all};
  const std::vector<HybridPoint> drawn = points_on(recorded, all);
  ASSERT_EQ(drawn.size(), 1u);
  EXPECT_FALSE(drawn.front().on.estimated);
  EXPECT_NEAR(drawn.front().gb_per_s, *drawn.front().model, 1e-9 * drawn.front().gb_per_s);
  EXPECT_TRUE(points_on(recorded, alone).empty()) << "the grid of all clusters has it";
  EXPECT_EQ(hybrid_programs_chart(recorded, all).name, "hybrid-programs-all-0-2-5");
  recorded.hybrid.pairs = {alone};
  ASSERT_EQ(points_on(recorded, alone).size(), 1u);
  EXPECT_TRUE(points_on(recorded, alone).front().on.estimated);
}

// Live ones are filled and simulated ones open; an arrow leads from one to the other, in both panels.
TEST(HybridPrograms, TheChartHasAPointOnEachSideAndArrows) {
  Point base = accessing("mg", {8, 0}, {0, 0}), moved = accessing("mg by kmaf", {2, 1}, {4, 1});
  moved.from = "mg";
  moved.simulated = true;
  for (const bool column : {false, true}) {
    Recorded recorded = recorded_with({base, moved});
    recorded.column = column;
    const Chart chart = hybrid_programs_chart(recorded, known_pair());
    ASSERT_EQ(chart.panels.size(), 2u);
    for (const Panel& panel : chart.panels) {
      std::set<Symbol> symbols;
      for (const Series& series : panel.series) {
        if (series.mark == Mark::points) symbols.insert(series.style.symbol);
      }
      EXPECT_EQ(symbols, (std::set<Symbol>{Symbol::square, Symbol::open_triangle}));
      EXPECT_TRUE(std::ranges::any_of(panel.series, [](const Series& it) { return it.mark == Mark::arrow; }));
      EXPECT_LE(panel.area.left + panel.area.width, chart.width);
    }
    const auto entry = std::ranges::find_if(chart.legend, [&](const LegendEntry& it) {
      return it.text == (column ? "2 mg by kmaf: at the model" : "2 mg by kmaf: 84.7 GB/s, at the model");
    });
    EXPECT_NE(entry, chart.legend.end()) << chart.legend.back().text;
  }
}

}  // namespace
