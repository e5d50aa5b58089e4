// Advice from placements: letters, moves and sentences, and their file.

#include "model/tiers/advice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "model/json/lines.hpp"
#include "model/records/placed.hpp"
#include "tests/draws.hpp"

namespace {

using gable::Error;
using namespace gable::model;

// The tier of "DRAM" and other names of tiers; "node:1" and paths count as a file.
Tier kind_of(const std::string& tier) {
  return named<Tier>(tier).value_or(Tier::file);
}

Placed record(const std::string& variant, const std::string& graph_tier, const std::string& temporary_tier,
              double seconds, double spread = 0.01) {
  Placed placed;
  placed.workload = "pagerank";
  placed.variant = variant;
  placed.graph = "a graph";
  placed.vertices = 10;
  placed.edges = 20;
  placed.threads = 2;
  const int node = graph_tier == "NVM" || graph_tier == "node:1" ? 1 : 0;
  placed.parts = {{"graph", graph_tier, kind_of(graph_tier), "", 64u << 20, {{node, 64u << 20}}},
                  {"temporary", temporary_tier, kind_of(temporary_tier), "", 32u << 20, {}}};
  for (int i = 0; i < 10; ++i) {
    placed.seconds.push_back(seconds * (1 + spread * (i - 4.5) / 4.5));
    placed.traversed.push_back(1e9);
  }
  placed.verified = "serial push";
  return placed;
}

std::vector<Placed> four(double dd, double dp, double pd, double pp, double spread = 0.01) {
  return {record("16 ranks", "DRAM", "DRAM", dd, spread), record("16 ranks", "DRAM", "NVM", dp, spread),
          record("16 ranks", "NVM", "DRAM", pd, spread), record("16 ranks", "NVM", "NVM", pp, spread)};
}

TEST(Advice, LettersAreTheThesis) {
  const auto all = four(1, 2, 3, 4);
  const auto letters = tier_letters(all);
  std::string codes;
  for (const Placed& placed : all) codes += placement_code(placed, letters);
  EXPECT_EQ(codes, "DDDPPDPP");
}

TEST(Advice, TiersOfOneKindAreABC) {
  std::vector<Placed> all = {record("x", "node:1", "node:1", 1), record("x", "node:0", "node:1", 1)};
  for (Placed& placed : all) {
    for (PlacedPart& part : placed.parts) part.kind = Tier::dram;
  }
  const auto letters = tier_letters(all);
  EXPECT_EQ(letters.at("node:1"), 'A');
  EXPECT_EQ(letters.at("node:0"), 'B');
}

TEST(Advice, MovesAreOfOnePartOutOfTheFastestTier) {
  const std::vector<PartMove> found = moves(four(1, 3, 1.2, 3.5));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].part, "temporary");
  EXPECT_NEAR(found[0].slowdown, 2, 1e-9);
  EXPECT_EQ(found[1].part, "graph");
  EXPECT_EQ(found[1].from, "DRAM");
  EXPECT_EQ(found[1].to, "NVM");
  EXPECT_EQ(found[1].bytes, 64u << 20);
  EXPECT_NEAR(found[1].slowdown, 0.2, 1e-9);
  for (const PartMove& move : found) {
    EXPECT_LT(move.slowdown_lo, move.slowdown);
    EXPECT_GT(move.slowdown_hi, move.slowdown);
  }
  EXPECT_NE(sentence(found[0]).find("3.0 times as long"), std::string::npos) << sentence(found[0]);
  EXPECT_NE(sentence(found[0]).find("keep it where it is"), std::string::npos) << sentence(found[0]);
  EXPECT_NE(sentence(found[1]).find("20 % longer"), std::string::npos) << sentence(found[1]);
  EXPECT_NE(sentence(found[1]).find("64 MiB of DRAM"), std::string::npos) << sentence(found[1]);
}

// A base that was selected by its runs would be the one with the luckiest runs.
TEST(Advice, TheBaseDoesNotDependOnTheRuns) {
  for (const auto& all : {four(4, 3, 2, 1), four(1, 2, 3, 4)}) {
    ASSERT_EQ(moves(all).size(), 2u);
    for (const PartMove& move : moves(all)) EXPECT_EQ(move.from, "DRAM");
  }
  std::vector<Placed> hbm = four(1, 2, 3, 4);  // HBM is the fastest kind, wherever it is in the list
  for (Placed& placed : hbm) {
    for (PlacedPart& part : placed.parts) {
      part.tier = part.tier == "NVM" ? "HBM" : part.tier;
      part.kind = kind_of(part.tier);
    }
  }
  for (const PartMove& move : moves(hbm)) EXPECT_EQ(move.from, "HBM");
  std::vector<Placed> alike = {record("x", "node:1", "node:1", 2), record("x", "node:0", "node:1", 1),
                               record("x", "node:0", "node:0", 1)};
  for (Placed& placed : alike) {
    for (PlacedPart& part : placed.parts) part.kind = Tier::dram;
  }
  for (const PartMove& move : moves(alike)) EXPECT_EQ(move.from, "node:1") << "the first of equal kinds";
}

// Records whose runs vary by 5 %: of each variant the four placements; moving the graph takes `slower`
// longer.
std::vector<Placed> drawn(int variants, int runs, double slower, std::mt19937& engine) {
  std::lognormal_distribution<> noise(0, 0.05);
  std::vector<Placed> all;
  for (int variant = 0; variant < variants; ++variant) {
    for (Placed placed : four(1, 1, 1 + slower, 1 + slower)) {
      placed.variant = std::to_string(variant);
      const double typical = placed.parts[0].tier == "NVM" ? 1 + slower : 1;
      placed.seconds.clear();
      for (int run = 0; run < runs; ++run) placed.seconds.push_back(typical * noise(engine));
      placed.traversed.assign(placed.seconds.size(), 1e9);
      all.push_back(std::move(placed));
    }
  }
  return all;
}

// Whatever the number of runs and of variants, a table of equal placements has a false sentence in at most 5
// % of all cases; of 3 runs that agree by chance in a little more.
TEST(Advice, EqualPlacementsShowADifferenceInFewTables) {
  std::mt19937 engine(31);
  const int tables = gable::tests::draws(150, 1000);
  for (const int runs : {3, 10}) {
    for (const int variants : {1, 7}) {
      int wrong = 0;
      for (int i = 0; i < tables; ++i) {
        const std::vector<PartMove> found = moves(drawn(variants, runs, 0, engine));
        wrong += std::ranges::any_of(
            found, [](const PartMove& move) { return move.slowdown_lo > 0 || move.slowdown_hi < 0; });
      }
      EXPECT_LE(wrong, tables * 6 / 100) << runs << " runs, " << variants << " variants";
    }
  }
}

TEST(Advice, ARealDifferenceIsFound) {
  std::mt19937 engine(32);
  int found = 0;
  constexpr int tables = 100;
  for (int i = 0; i < tables; ++i) {
    for (const PartMove& move : moves(drawn(7, 10, 0.2, engine))) {
      if (move.part == "graph") found += move.slowdown_lo > 0;
    }
  }
  EXPECT_GE(found, 7 * tables * 95 / 100);
}

TEST(Advice, WhatTheCacheHoldsMovesNothing) {
  auto all = four(1, 3, 1.2, 3.5);
  for (Placed& placed : all) placed.notes = {{NoteCode::mostly_of_cache, {4096.0, 8192.0}}};
  EXPECT_TRUE(moves(all).empty());
}

// A file that is not on DAX lies in the page cache, so on the node of DRAM: moving it frees nothing.
TEST(Advice, TwoNamesOfOneMemoryMoveNothing) {
  std::vector<Placed> all = {record("x", "DRAM", "DRAM", 1), record("x", "/tmp", "DRAM", 2)};
  all[1].parts[0].kind = Tier::file;
  EXPECT_TRUE(moves(all).empty());
  all[1].parts[0].node_bytes.clear();  // on DAX
  EXPECT_EQ(moves(all).size(), 1u);
}

TEST(Advice, ASingleRunAdvisesNothing) {
  auto all = four(1, 0.5, 1.2, 3.5);
  for (Placed& placed : all) placed.seconds.resize(1), placed.traversed.resize(1);
  for (const PartMove& move : moves(all)) {
    EXPECT_NE(sentence(move).find("in a single run: use more --runs"), std::string::npos) << sentence(move);
    EXPECT_EQ(sentence(move).find("move it"), std::string::npos) << sentence(move);
  }
}

TEST(Advice, WhatTheRunsCannotShowIsSaid) {
  const std::vector<PartMove> found = moves(four(1, 3, 1.005, 3.5, 0.05));
  EXPECT_LE(found[1].slowdown_lo, 0);
  EXPECT_NE(sentence(found[1]).find("shows no cost in these runs"), std::string::npos);
}

TEST(Advice, RunsThatTellNothingAdviseNothing) {
  const std::vector<PartMove> found = moves(four(1, 3, 1.005, 3.5, 0.9));
  ASSERT_LE(found[1].slowdown_lo, 0);
  ASSERT_GT(found[1].slowdown_hi, 0.5);
  EXPECT_NE(sentence(found[1]).find("too wide to give advice"), std::string::npos) << sentence(found[1]);
  EXPECT_EQ(sentence(found[1]).find("shows no cost"), std::string::npos) << sentence(found[1]);
}

// The limits of docs/placement/tiers.md, from both sides.
TEST(Advice, ChangesAtTheStatedLimits) {
  const auto said = [](double lo, double hi) {
    return sentence({"16 ranks", "graph", "DRAM", "NVM", 0, (lo + hi) / 2, lo, hi});
  };
  const struct {
    double lo, hi;
    const char* words;
  } expected[] = {
      {-0.2, -0.01, ": move it."},     {-0.01, 0.24, "shows no cost"}, {-0.01, 0.26, "too wide"},
      {0.01, 0.09, "cheap; move it"},  {0.01, 0.11, "weigh"},          {0.49, 0.6, "weigh"},
      {0.51, 0.6, "keep it where it"}, {0.9, 1.08, "99 % longer"},     {0.9, 1.12, "2.0 times as long"}};
  for (const auto& [lo, hi, words] : expected)
    EXPECT_NE(said(lo, hi).find(words), std::string::npos) << said(lo, hi);
}

TEST(Advice, RecordsThatAreNotOkMoveNothing) {
  auto all = four(1, 3, 1.2, 3.5);
  all[2].status = Status::invalid;
  all[2].reason = Note("elsewhere");
  EXPECT_EQ(moves(all).size(), 1u);
  all[0].status = Status::skipped;  // no base in DRAM, so the one in NVM is used
  all[0].reason = Note("too small");
  for (const PartMove& move : moves(all)) EXPECT_EQ(move.from, "NVM");
}

// The intervals of a table hold together in 95 % of all cases.
TEST(Advice, IntervalsOfMovesHoldTheTruth) {
  std::mt19937 engine(5);
  std::lognormal_distribution<> noise(0, 0.05);
  int held = 0;
  constexpr int tries = 2000;
  for (int i = 0; i < tries; ++i) {
    auto all = four(1, 3, 1.25, 3.5);
    for (Placed& placed : all) {
      const double typical = placed.seconds[4] / 2 + placed.seconds[5] / 2;
      for (double& seconds : placed.seconds) seconds = typical * noise(engine);
    }
    const std::vector<PartMove> found = moves(all);
    const auto holds = [](const PartMove& move, double truth) {
      return move.slowdown_lo <= truth && truth <= move.slowdown_hi;
    };
    held += holds(found[0], 2) && holds(found[1], 0.25);
  }
  EXPECT_GE(held, tries * 93 / 100);
  EXPECT_LE(held, tries * 97 / 100);
}

TEST(PlacedJson, RoundTrip) {
  Placed placed = record("top-down", "DRAM", "/mnt/pmem", 0.1);
  placed.ways = {{"alpha 15, beta 18", 1e8}};
  placed.notes = {Note("\"quoted\" \\ and \n lines")};
  EXPECT_EQ(from_line<Placed>(to_line(placed), "f:1"), placed);
  placed.status = Status::skipped;
  placed.reason = Note("too small");
  placed.seconds.clear();
  placed.traversed.clear();
  EXPECT_EQ(from_line<Placed>(to_line(placed), "f:1"), placed);
}

TEST(PlacedJson, OlderFilesHaveTheRanksInTheVariant) {
  for (const int ranks : {1, 16}) {
    Placed placed = record(ranks == 1 ? "1 rank" : "16 ranks", "DRAM", "DRAM", 0.1);
    placed.workload = "pagerank";
    const std::string older = to_line(placed);
    placed.ranks = ranks;
    EXPECT_EQ(from_line<Placed>(older, "f:1"), placed);
    EXPECT_EQ(from_line<Placed>(to_line(placed), "f:1"), placed);
  }
}

Placed published(const std::string& graph_tier, double teps) {
  Placed placed = record("16 ranks", graph_tier, "DRAM", 1);
  placed.ranks = 16;
  for (PlacedPart& part : placed.parts) part.bytes = 0;
  placed.seconds.clear();
  placed.traversed.clear();
  placed.source = "table 3.3";
  placed.published_teps = teps;
  placed.published_runs = 10;
  return placed;
}

TEST(PlacedJson, APublishedFigureIsARateWithItsSource) {
  const Placed placed = published("DRAM", 7e9);
  EXPECT_EQ(from_line<Placed>(to_line(placed), "f:1"), placed);
  EXPECT_EQ(teps(placed).value, 7e9);
  EXPECT_EQ(teps(placed).n, 10);
  EXPECT_EQ(runs_of(placed), 10u);
  Placed wrong = placed;
  wrong.published_teps = 0;
  EXPECT_THROW(to_line(wrong), Error);
  wrong = placed;
  wrong.seconds = wrong.traversed = {1};
  EXPECT_THROW(to_line(wrong), Error);
  wrong = placed;
  wrong.status = Status::skipped;
  wrong.reason = Note("why");
  EXPECT_THROW(to_line(wrong), Error);
}

TEST(Advice, APublishedMoveHasNoIntervalAndNoSize) {
  const std::vector<PartMove> found = moves({published("DRAM", 7.2e9), published("NVM", 6e9)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(sentence(found[0]),
            "16 ranks: the graph in NVM instead of DRAM takes 20 % longer (no interval): weigh the slowdown "
            "against the space.");
}

TEST(Advice, FollowsTheIntervalOfTheSlowdown) {
  const auto advice = [](double slowdown, double lo, double hi) {
    const std::string text = sentence({"1 rank", "graph", "DRAM", "NVM", 0, slowdown, lo, hi});
    return text.substr(text.rfind(": ") + 2);
  };
  EXPECT_EQ(advice(-0.1, -0.2, -0.01), "move it.");
  EXPECT_EQ(advice(0.05, -0.1, 0.2), "move it if you need the space.");
  EXPECT_EQ(advice(0.05, 0.01, 0.1), "cheap; move it if space is short.");
  EXPECT_EQ(advice(0.05, 0.01, 0.11), "weigh the slowdown against the space.");
  EXPECT_EQ(advice(0.6, 0.49, 0.7), "weigh the slowdown against the space.");
  EXPECT_EQ(advice(0.6, 0.51, 0.7), "keep it where it is.");
  EXPECT_NE(advice(0.05, -0.1, 0.3).find("too wide to give advice"), std::string::npos);
  EXPECT_EQ(advice(2, 1.9, 2.1), "keep it where it is.");
}

TEST(PlacedJson, ContradictionsAreRefused) {
  Placed placed = record("x", "DRAM", "DRAM", 1);
  placed.seconds.pop_back();
  EXPECT_THROW(to_line(placed), Error);
  placed = record("x", "DRAM", "DRAM", -1);
  EXPECT_THROW(to_line(placed), Error);
  placed = record("x", "DRAM", "DRAM", 1);
  placed.reason = Note("why");
  EXPECT_THROW(to_line(placed), Error);
  EXPECT_THROW(from_line<Placed>("{}", "f:1"), Error);
  EXPECT_THROW(from_line<Placed>("[1", "f:1"), Error);
}

TEST(PlacedJson, ANumberTooLargeIsNamedWithItsPlace) {
  std::string line = to_line(record("x", "DRAM", "DRAM", 1));
  line.replace(line.find("\"vertices\":"), 11, "\"vertices\":1e400,\"v\":");
  try {
    from_line<Placed>(line, "placements.jsonl:2");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("placements.jsonl:2: ")) << error.what();
  }
}

TEST(PlacedJson, TheLastOfEqualOnesCounts) {
  const gable::TemporaryFolder folder("placements");
  const std::string path = folder.path / "placements.jsonl";
  Placed first = record("x", "DRAM", "DRAM", 1), other = record("x", "DRAM", "NVM", 1),
         again = record("x", "DRAM", "DRAM", 2);
  std::ofstream(path) << to_line(first) << "\n" << to_line(other) << "\n" << to_line(again) << "\n";
  const auto all = read_lines<Placed>(path);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], again);
  EXPECT_EQ(all[1], other);
  std::ofstream(path, std::ios::app) << "broken\n";
  try {
    read_lines<Placed>(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(":4:"), std::string::npos) << error.what();
  }
}

}  // namespace
