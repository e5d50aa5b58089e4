// Advice from placements: letters, moves and sentences.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/tiers/advice.hpp"
#include "tests/model/placed_records.hpp"

namespace gable::model {
namespace {

using namespace invented;

TEST(Advice, LettersAreTheThesis) {
  const auto all = four_placements(1, 2, 3, 4);
  const auto letters = tier_letters(all);
  std::string codes;
  for (const Placed& placed : all) codes += placement_code(placed, letters);
  EXPECT_EQ(codes, "DDDPPDPP");
}

TEST(Advice, TiersOfOneKindAreABC) {
  std::vector<Placed> all = {placed_record("x", "node:1", "node:1", 1),
                             placed_record("x", "node:0", "node:1", 1)};
  for (Placed& placed : all) {
    for (PlacedPart& part : placed.parts) part.kind = Tier::dram;
  }
  const auto letters = tier_letters(all);
  EXPECT_EQ(letters.at("node:1"), 'A');
  EXPECT_EQ(letters.at("node:0"), 'B');
}

TEST(Advice, MovesAreOfOnePartOutOfTheFastestTier) {
  const std::vector<PartMove> found = moves(four_placements(1, 3, 1.2, 3.5));
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
  for (const auto& all : {four_placements(4, 3, 2, 1), four_placements(1, 2, 3, 4)}) {
    ASSERT_EQ(moves(all).size(), 2u);
    for (const PartMove& move : moves(all)) EXPECT_EQ(move.from, "DRAM");
  }
  std::vector<Placed> hbm =
      four_placements(1, 2, 3, 4);  // HBM is the fastest kind, wherever it is in the list
  for (Placed& placed : hbm) {
    for (PlacedPart& part : placed.parts) {
      part.tier = part.tier == "NVM" ? "HBM" : part.tier;
      part.kind = kind_of(part.tier);
    }
  }
  for (const PartMove& move : moves(hbm)) EXPECT_EQ(move.from, "HBM");
  std::vector<Placed> alike = {placed_record("x", "node:1", "node:1", 2),
                               placed_record("x", "node:0", "node:1", 1),
                               placed_record("x", "node:0", "node:0", 1)};
  for (Placed& placed : alike) {
    for (PlacedPart& part : placed.parts) part.kind = Tier::dram;
  }
  for (const PartMove& move : moves(alike)) EXPECT_EQ(move.from, "node:1") << "the first of equal kinds";
}

TEST(Advice, WhatTheCacheHoldsMovesNothing) {
  auto all = four_placements(1, 3, 1.2, 3.5);
  for (Placed& placed : all) placed.notes = {{NoteCode::mostly_of_cache, {4096.0, 8192.0}}};
  EXPECT_TRUE(moves(all).empty());
}

// A file that is not on DAX lies in the page cache, so on the node of DRAM: moving it frees nothing.
TEST(Advice, TwoNamesOfOneMemoryMoveNothing) {
  std::vector<Placed> all = {placed_record("x", "DRAM", "DRAM", 1), placed_record("x", "/tmp", "DRAM", 2)};
  all[1].parts[0].kind = Tier::file;
  EXPECT_TRUE(moves(all).empty());
  all[1].parts[0].node_bytes.clear();  // on DAX
  EXPECT_EQ(moves(all).size(), 1u);
}

TEST(Advice, RecordsThatAreNotOkMoveNothing) {
  auto all = four_placements(1, 3, 1.2, 3.5);
  all[2].status = Status::invalid;
  all[2].reason = Note("elsewhere");
  EXPECT_EQ(moves(all).size(), 1u);
  all[0].status = Status::skipped;  // no base in DRAM, so the one in NVM is used
  all[0].reason = Note("too small");
  for (const PartMove& move : moves(all)) EXPECT_EQ(move.from, "NVM");
}

TEST(Advice, ASingleRunAdvisesNothing) {
  auto all = four_placements(1, 0.5, 1.2, 3.5);
  for (Placed& placed : all) placed.seconds.resize(1), placed.traversed.resize(1);
  for (const PartMove& move : moves(all)) {
    EXPECT_NE(sentence(move).find("in a single run: use more --runs"), std::string::npos) << sentence(move);
    EXPECT_EQ(sentence(move).find("move it"), std::string::npos) << sentence(move);
  }
}

TEST(Advice, WhatTheRunsCannotShowIsSaid) {
  const std::vector<PartMove> found = moves(four_placements(1, 3, 1.005, 3.5, 0.05));
  EXPECT_LE(found[1].slowdown_lo, 0);
  EXPECT_NE(sentence(found[1]).find("shows no cost in these runs"), std::string::npos);
}

TEST(Advice, RunsThatTellNothingAdviseNothing) {
  const std::vector<PartMove> found = moves(four_placements(1, 3, 1.005, 3.5, 0.9));
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
  } expected[] = {{-0.2, -0.01, ": move it."},     {-0.01, 0.24, "move it if you need the space"},
                  {-0.01, 0.26, "too wide"},       {0.01, 0.09, "cheap; move it"},
                  {0.01, 0.11, "weigh"},           {0.49, 0.6, "weigh"},
                  {0.51, 0.6, "keep it where it"}, {0.9, 1.08, "99 % longer"},
                  {0.9, 1.12, "2.0 times as long"}};
  for (const auto& [lo, hi, words] : expected)
    EXPECT_NE(said(lo, hi).find(words), std::string::npos) << said(lo, hi);
}

TEST(Advice, APublishedMoveHasNoIntervalAndNoSize) {
  const std::vector<PartMove> found =
      moves({published_placement("DRAM", 7.2e9), published_placement("NVM", 6e9)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(sentence(found[0]),
            "16 ranks: the graph in NVM instead of DRAM takes 20 % longer (no interval): weigh the slowdown "
            "against the space.");
}

}  // namespace
}  // namespace gable::model
