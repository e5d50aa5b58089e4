// A folder whose best value was not measured in the state of the machine that its other figures are of:
// everything that shows, exports, draws, judges or compares takes the figure of the reported state.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/bench/bench.hpp"
#include "cli/compare/side.hpp"
#include "cli/fit/tables.hpp"
#include "cli/report/sections.hpp"
#include "cli/show/shown_roofs.hpp"
#include "model/cluster/roof_lines.hpp"
#include "model/compare/match.hpp"
#include "model/points/limits/limits.hpp"
#include "model/roofs/best.hpp"
#include "model/roofs/roofs.hpp"
#include "plots/charts/charts.hpp"

namespace gable::cli::other_state_tests {
namespace {

using model::Kind;
using model::Pattern;
using model::Roof;

constexpr double reported = 41, other = 55;  // GB/s

Roof loads(const char* pages, double value, bool other_state) {
  Roof roof;
  roof.spec.kind = Kind::bandwidth;
  roof.spec.pattern = Pattern::local;
  roof.spec.node = 0;
  roof.spec.tier = model::Tier::dram;
  roof.spec.op = model::operations::load;
  roof.spec.kernel = "load_avx2";
  roof.spec.pages = *model::pages_named(pages);
  roof.spec.threads = 4;
  roof.value = value;
  roof.lo = 0.99 * value;
  roof.hi = 1.01 * value;
  roof.unit = "GB/s";
  roof.n = 60;
  roof.other_state = other_state;
  return roof;
}

// The folders have both orders: the first one is not taken because it is the first.
std::vector<model::Roofs> folders() {
  const Roof in_state = loads("4k", reported, false), out_of_state = loads("2m", other, true);
  std::vector<model::Roofs> both(2);
  both[0].roofs = {in_state, out_of_state};
  both[1].roofs = {out_of_state, in_state};
  return both;
}

std::vector<Roof> loads_of(const std::vector<ShownLine>& lines) {
  const auto line = std::ranges::find(lines, "DRAM loads, local", &ShownLine::words);
  return line == lines.end() ? std::vector<Roof>() : line->figures;
}

TEST(OtherState, TablesShowTheReportedState) {
  for (const model::Roofs& roofs : folders()) {
    ShownFolder shown;
    shown.roofs = roofs;
    const std::vector<Roof> figures = loads_of(lines_of(shown));
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(figures.front().value, reported);
    const std::string table = roof_table(roofs);
    EXPECT_LT(table.find("41.00"), table.find("55.00")) << table;
    EXPECT_NE(table.find("2 MiB: 55.00"), std::string::npos) << table;
  }
}

TEST(OtherState, InstructionsPerCycleAreOfTheReportedState) {
  for (model::Roofs& roofs : folders()) {
    for (Roof& roof : roofs.roofs) {
      roof.spec.level = model::Level::cache(1);
      roof.spec.pattern = Pattern::cache;
      roof.clock_ghz = 1;
      roof.value *= 32 * roof.spec.threads / reported;  // in the reported state, one of 32 bytes a cycle
    }
    const std::string table = core_table(roofs, nullptr);
    EXPECT_NE(table.find(" 1.00"), std::string::npos) << table;
  }
}

TEST(OtherState, SentencesOfTheReportAreOfTheReportedState) {
  ShownFolder shown;
  shown.roofs.roofs = {loads("4k", other, true), loads("4k", reported, false)};
  shown.roofs.roofs.front().spec.node = 1;
  Roof peak = loads("4k", 10 * reported, false);
  peak.spec = {};
  peak.spec.kind = Kind::flops;
  peak.spec.level = model::Level::core();
  peak.spec.pattern = Pattern::core;
  peak.spec.op = model::operations::fma;
  peak.spec.precision = model::Precision::dp;
  peak.unit = "GFlop/s";
  shown.roofs.roofs.push_back(peak);
  const std::vector<std::string> sentences = meaning_of(shown, {});
  EXPECT_TRUE(std::ranges::any_of(sentences, [](const std::string& sentence) {
    return sentence.find("needs 10.0 flop/byte from DRAM") != std::string::npos;
  })) << fmt::format("{}", fmt::join(sentences, "\n"));
}

// The lowest figure of a latency is the best one.
TEST(OtherState, SingleFiguresAreTheBestOfTheirKind) {
  std::vector<model::Sample> samples;
  for (const auto& [pages, seconds] : {std::pair("4k", 1e-3), {"2m", 0.8e-3}}) {
    model::Sample sample;
    sample.spec = loads(pages, 0, false).spec;
    sample.spec.kind = Kind::latency;
    sample.spec.op = model::operations::chase;
    sample.seconds.assign(20, seconds);
    sample.work.assign(20, 1e4);
    sample.started = "2026-01-01T00:00:00Z";
    samples.push_back(sample);
  }
  const SingleFigure figure = single_figure(samples);
  EXPECT_NEAR(figure.roof.value, 80, 0.1);
  ASSERT_EQ(figure.others.size(), 1u);
  EXPECT_NEAR(figure.others.front().value, 100, 0.1);
}

TEST(OtherState, ChartsDrawTheReportedState) {
  for (const model::Roofs& roofs : folders()) {
    charts::Recorded recorded;
    recorded.roofs = roofs;
    const std::string tsv = charts::larm_chart(recorded, 0).table.tsv();
    EXPECT_NE(tsv.find("\t41\t"), std::string::npos) << tsv;
    EXPECT_EQ(tsv.find("\t55\t"), std::string::npos) << tsv;
  }
}

TEST(OtherState, VerdictsJudgeByTheReportedState) {
  model::Point point;
  point.seconds = point.seconds_hi = 1;
  point.load_bytes = 10e9;
  point.threads = 4;
  for (const model::Roofs& roofs : folders()) {
    const std::vector<model::Limit> limits = model::memory_limits(roofs, point, 0, {{0, 1.0}}, {});
    ASSERT_EQ(limits.size(), 1u);
    EXPECT_EQ(limits.front().value, reported);
  }
}

TEST(OtherState, ExportTakesTheReportedState) {
  model::Case like = loads("4k", 0, false).spec;
  like.pages = {};
  for (const model::Roofs& roofs : folders()) {
    const Roof* const best = model::best_roof(roofs.roofs, like);
    ASSERT_NE(best, nullptr);
    EXPECT_EQ(best->value, reported);
  }
}

TEST(OtherState, NodesOfAClusterAreComparedInTheReportedState) {
  for (const model::Roofs& roofs : folders()) {
    model::RoofLines lines;
    const std::vector<model::NodeFigure> figures = lines.read(model::roofs_to_json(roofs), "roofs.json");
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(figures.front().value, reported);
    EXPECT_FALSE(figures.front().other_state);
  }
}

TEST(OtherState, FoldersAreComparedByTheirIdleLatencies) {
  Roof latency = loads("4k", 150, false);
  latency.spec.kind = Kind::latency;
  Roof replaced = latency, older = latency;
  replaced.idle_value = 172;
  replaced.idle_lo = 170;
  replaced.idle_hi = 174;
  for (Roof* const roof : {&replaced, &older}) roof->remarks = {{model::NoteCode::idle_clock, {172.0, 10.0}}};
  Side side;
  side.shown.roofs.roofs = {latency, replaced, older};
  const std::vector<model::Figure> figures = figures_of(side, Places(side, side));
  ASSERT_EQ(figures.size(), 3u);
  EXPECT_EQ(figures[0].estimate.value, 150);
  EXPECT_EQ(figures[1].estimate, (model::Estimate{172, 170, 174, 60}));
  EXPECT_EQ(figures[2].estimate.value, 150);
  EXPECT_FALSE(figures[0].at_small_load || figures[1].at_small_load);
  EXPECT_TRUE(figures[2].at_small_load);
}

TEST(OtherState, FoldersAreComparedInTheReportedState) {
  std::vector<std::vector<model::Figure>> figures;
  for (const model::Roofs& roofs : folders()) {
    Side side;
    side.shown.roofs = roofs;
    figures.push_back(figures_of(side, Places(side, side)));
    for (model::Figure& figure : figures.back()) {
      if (figures.size() > 1)
        figure.variant += "?";  // measured in another way: only the best ones are comparable
    }
  }
  const model::Matching matching = model::match_figures(figures[0], figures[1]);
  ASSERT_EQ(matching.matched.size(), 1u);
  EXPECT_EQ(figures[0][matching.matched[0].first].estimate.value, reported);
  EXPECT_EQ(figures[1][matching.matched[0].other].estimate.value, reported);
}

}  // namespace
}  // namespace gable::cli::other_state_tests
