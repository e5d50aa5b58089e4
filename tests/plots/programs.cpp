// Charts of what programs do: functions and accesses under the roofs, and the bytes of objects.

#include <gtest/gtest.h>

#include <algorithm>

#include "plots/charts/charts.hpp"
#include "plots/charts/larm/obstacles.hpp"
#include "plots/charts/larm/points/points.hpp"

namespace {

using namespace gable::charts;
using gable::model::Kind;
using gable::model::Level;
using gable::model::LevelBytes;
using gable::model::Pattern;
using gable::model::Point;
using gable::model::Roof;

Roof roof_of(Kind kind, const Level& level, double value, const char* unit) {
  Roof made;
  made.spec.kind = kind;
  made.spec.level = level;
  made.spec.pattern = is_memory(level)      ? Pattern::local
                      : kind == Kind::flops ? Pattern::core
                                            : Pattern::cache;
  made.spec.op = kind == Kind::flops    ? gable::model::operations::fma
                 : kind == Kind::random ? gable::model::operations::random
                                        : gable::model::operations::load;
  if (kind == Kind::flops) made.spec.precision = gable::model::Precision::dp;
  if (is_memory(level)) {
    made.spec.node = 0;
    made.spec.tier = gable::model::Tier::dram;
  }
  made.spec.threads = 2;
  made.value = made.lo = made.hi = value;
  made.unit = unit;
  made.n = 10;
  return made;
}

Recorded machine() {
  Recorded recorded;
  recorded.roofs.roofs = {roof_of(Kind::bandwidth, Level("L1"), 400, "GB/s"),
                          roof_of(Kind::bandwidth, Level("L2"), 200, "GB/s"),
                          roof_of(Kind::bandwidth, Level::memory(), 40, "GB/s"),
                          roof_of(Kind::random, Level::memory(), 200, "M/s"),
                          roof_of(Kind::flops, Level::core(), 500, "GFlop/s")};
  return recorded;
}

// 40 GB from memory take all of its second; half of them are of `solve`, and 12 GB of `a`, a third of those
// written.
Point solver() {
  Point point;
  point.name = "solver";
  point.threads = 2;
  point.flops = 8e9;
  point.load_bytes = 70e9;
  point.store_bytes = 10e9;
  point.accesses = 10e9;
  point.levels = {{Level("L2"), 50e9, 4e9}, {Level::memory(), 36e9, 4e9}};
  const auto levels = [&](double part) {
    return std::vector<LevelBytes>{{Level("L2"), part * 50e9, part * 4e9},
                                   {Level::memory(), part * 36e9, part * 4e9}};
  };
  point.functions = {{"solve", "/app", 6e9, 35e9, 5e9, levels(0.5)},
                     {"scale", "/app", 2e9, 30e9, 5e9, levels(0.48)},
                     {"small", "/app", 1e6, 5e9, 0, levels(0.02)}};
  point.objects = {{"a (app.c:3)", 1 << 30, {{Level("L2"), 20e9, 4e9}, {Level::memory(), 8e9, 4e9}}},
                   {"b", 1 << 20, {{Level("L2"), 25e9, 0}, {Level::memory(), 20e9, 0}}}};
  point.seconds = point.seconds_lo = point.seconds_hi = 1;
  point.node_bytes = {{0, 1e9}};
  return point;
}

// 1.6 billion accesses, of which every 16th needs a line from memory.
Point join() {
  Point point = solver();
  point.name = "join";
  point.flops = 1000;
  point.functions.clear();
  point.accesses = 1.6e9;
  point.load_bytes = 12.8e9;
  point.store_bytes = 0;
  point.levels = {{Level("L2"), 12.8e9, 0}, {Level::memory(), 6.4e9, 0, 6.4e9}};
  point.objects.clear();
  return point;
}

Recorded with(const std::vector<Point>& points) {
  Recorded recorded = machine();
  recorded.points = points;
  for (const Point& point : points)
    recorded.readings.push_back(gable::model::read_point(recorded.roofs, point));
  return recorded;
}

std::vector<std::vector<std::string>> cells_of(const Chart& chart, const std::string& kind,
                                               const std::vector<std::string>& wanted) {
  const std::vector<std::string>& columns = chart.table.columns();
  const auto cell = [&](const gable::Row& row, const std::string& column) {
    return row.at(static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin())).text;
  };
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : chart.table.cells()) {
    if (!kind.empty() && cell(row, "kind") != kind) continue;
    rows.emplace_back();
    for (const std::string& column : wanted) rows.back().push_back(cell(row, column));
  }
  return rows;
}

const Series& series_of(const Chart& chart, std::string_view name) {
  static const Series none;
  const auto& all = chart.panels.at(0).series;
  const auto found = std::ranges::find(all, name, &Series::name);
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? none : *found;
}

void expect_clear_labels(const Chart& chart) {
  for (std::size_t i = 0; i < chart.labels.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(box_of(chart.labels[i]).meets(box_of(chart.labels[k])))
          << chart.labels[i].text << " on " << chart.labels[k].text;
  }
}

TEST(ProgramCharts, FunctionsHaveTheirPartOfTheTime) {
  for (const bool column : {false, true}) {
    Recorded recorded = with({solver()});
    recorded.column = column;
    const Chart chart = functions_chart(recorded, 0);
    EXPECT_EQ(chart.name, "functions-0");
    const auto rows = cells_of(chart, "function", {"point", "flop_per_byte", "value", "share_percent"});
    ASSERT_EQ(rows.size(), 2u) << "those with 5 % of the time";
    EXPECT_EQ(rows[0][0], "solver: solve");
    EXPECT_NEAR(std::stod(rows[0][1]), 6e9 / 20e9, 1e-9) << "by the bytes of memory, which it needs most";
    EXPECT_NEAR(std::stod(rows[0][3]), 50, 1e-6);
    EXPECT_NEAR(std::stod(rows[0][2]), 6 / 0.5, 1e-6) << "its flops in half of the second";
    EXPECT_NEAR(std::stod(rows[1][3]), 48, 1e-6);
    const double solve = series_of(chart, "solver: solve").style.size,
                 scale = series_of(chart, "solver: scale").style.size;
    EXPECT_NEAR(solve * solve / (scale * scale), 0.5 / 0.48, 1e-9) << "the area is the part";
    const auto has = [&](const std::string& text) {
      return std::ranges::any_of(chart.labels, [&](const Label& label) { return label.text == text; });
    };
    EXPECT_TRUE(column || (has("solve 50 %") && has("scale 48 %")));
    EXPECT_TRUE(cells_of(chart, "point", {"point"}).empty());
    expect_clear_labels(chart);
  }
}

TEST(ProgramCharts, FunctionsStandAtTheirMeasuredTime) {
  Point sampled = solver();
  sampled.samples.all = 1000;
  sampled.functions.at(0).samples = 800;
  sampled.functions.at(1).samples = 150;
  const Chart chart = functions_chart(with({sampled}), 0);
  const auto rows = cells_of(chart, "function", {"point", "value", "share_percent"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][0], "solver: solve");
  EXPECT_NEAR(std::stod(rows[0][2]), 80, 1e-6);
  EXPECT_NEAR(std::stod(rows[0][1]), 6 / 0.8, 1e-6) << "its flops in its own time";
  EXPECT_NEAR(std::stod(rows[1][2]), 15, 1e-6);
}

TEST(ProgramCharts, FunctionsAreOmittedWithTheReason) {
  Point unknown = solver();
  unknown.functions.clear();
  EXPECT_NE(functions_chart(with({unknown}), 0).omitted, "");
  Recorded hidden = with({solver()});
  hidden.hidden = {"solver: scale"};
  EXPECT_EQ(cells_of(functions_chart(hidden, 0), "function", {"point"}).size(), 1u);
}

TEST(ProgramCharts, ProgramsWithoutFlopsAreDrawnByAccesses) {
  const Recorded recorded = with({solver(), join()});
  const Chart flops = larm_chart(recorded, 0), chart = accesses_chart(recorded, 0);
  EXPECT_EQ(cells_of(flops, "point", {"point"}), (std::vector<std::vector<std::string>>{{"solver"}}));
  EXPECT_NE(flops.note.find("1 program without flops: on the chart of accesses"), std::string::npos)
      << flops.note;
  const std::vector<std::vector<std::string>> points = {{"join", "0.125", "1.6"}};
  EXPECT_EQ(cells_of(chart, "point", {"point", "access_per_byte", "value"}), points);
  const std::vector<std::vector<std::string>> levels = {{"L1", "0.125"}, {"L2", "0.125"}, {"DRAM", "0.25"}};
  EXPECT_EQ(cells_of(chart, "level", {"label", "access_per_byte"}), levels);
  EXPECT_TRUE(cells_of(chart, "flops", {"value"}).empty()) << "no peaks";
  const auto random = cells_of(chart, "random", {"value", "unit"});
  ASSERT_EQ(random.size(), 1u);
  EXPECT_NEAR(std::stod(random[0][0]), 12.8, 1e-9) << "200 million lines of 64 bytes";
  EXPECT_EQ(random[0][1], "GB/s");
  const Series& roof = series_of(chart, "random loads, DRAM node 0, local");
  EXPECT_NEAR(roof.data.at(0).y / roof.data.at(0).x, 12.8, 1e-6);
  EXPECT_EQ(chart.note.find("No floating-point peak"), std::string::npos);
  EXPECT_EQ(chart.note.find("Shade"), std::string::npos) << "random loads are no second memory";
  EXPECT_EQ(larm_chart(recorded, 0).table.tsv().find("random"), std::string::npos);
  EXPECT_NE(accesses_chart(with({solver()}), 0).omitted, "");
  EXPECT_NE(chart.note.find("Random loads: lines of 64 bytes"), std::string::npos) << chart.note;
  Recorded hidden = recorded;
  hidden.hidden = {"random loads"};
  EXPECT_EQ(accesses_chart(hidden, 0).note.find("Random loads"), std::string::npos) << "none is drawn";
  expect_clear_labels(chart);
}

TEST(ProgramCharts, ObjectsHaveBarsOfReadsAndWrites) {
  for (const bool column : {false, true}) {
    Recorded recorded = with({solver(), join()});
    recorded.column = column;
    const Chart chart = objects_chart(recorded, 0);
    const std::vector<std::vector<std::string>> rows = {
        {"b", "DRAM", "20000000000", "0", "50"},
        {"a (app.c:3)", "DRAM", "8000000000", "4000000000", "30"},
        {"others", "DRAM", "8000000000", "0", "20"}};
    EXPECT_EQ(cells_of(chart, "", {"object", "memory", "read_bytes", "written_bytes", "share_percent"}),
              rows);
    ASSERT_EQ(chart.panels.size(), 1u) << "join has no objects";
    const Series &writes = series_of(chart, "writes"), &reads = series_of(chart, "reads");
    ASSERT_TRUE(reads.data.size() == 3 && writes.data.size() == 1);
    EXPECT_EQ(reads.data[1].x, 8);
    EXPECT_EQ(writes.data[0].x, 4);
    EXPECT_LT(reads.data[1].y, writes.data[0].y) << "beside each other";
    EXPECT_TRUE(writes.style.hatched && !reads.style.hatched) << "told apart in grey";
    ASSERT_EQ(chart.labels.size(), 3u);
    EXPECT_EQ(chart.labels[1].text, "12.0 GB, 30 %");
    for (const Label& label : chart.labels) EXPECT_LE(box_of(label).right, chart.width);
    EXPECT_TRUE(chart.panels[0].x.ticks->size() >= 3 && chart.panels[0].x.ticks->size() <= 6);
    expect_clear_labels(chart);
  }
}

TEST(ProgramCharts, WritesThatAreALowerBoundAreTold) {
  Point point = solver();
  EXPECT_EQ(objects_chart(with({point}), 0).note.find("lower bound"), std::string::npos);
  point.levels.back().written_more = 5e9;
  EXPECT_NE(objects_chart(with({point}), 0).note.find("lower bound for solver (up to 5.00 GB more)"),
            std::string::npos)
      << objects_chart(with({point}), 0).note;
}

TEST(ProgramCharts, ObjectsOfManyProgramsAreThoseRecordedLast) {
  std::vector<Point> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(solver());
    points.back().name = "p" + std::to_string(i);
    points.back().started = "2026-01-0" + std::to_string(1 + i) + "T00:00:00Z";
  }
  const Chart chart = objects_chart(with(points), 0);
  ASSERT_EQ(chart.panels.size(), 6u);
  EXPECT_TRUE(chart.panels.front().title.starts_with("p7: 40.0 GB")) << chart.panels.front().title;
  EXPECT_NE(chart.note.find("2 points recorded earlier"), std::string::npos) << chart.note;
  for (std::size_t i = 1; i < chart.panels.size(); ++i)
    EXPECT_GT(chart.panels[i].area.top, chart.panels[i - 1].area.top + chart.panels[i - 1].area.height + 40);
  EXPECT_NE(objects_chart(with({join()}), 0).omitted, "");
}

}  // namespace
