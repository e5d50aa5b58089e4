// Tables fit the screen.

#include "cli/text/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/words.hpp"
#include "cli/show/shown_roofs.hpp"

namespace {

using gable::split;
using gable::Table;
using gable::cli::sentence_columns;
using gable::cli::table_text;
using gable::cli::width_of;

std::size_t widest(const std::string& table) {
  std::size_t most = 0;
  for (const std::string& line : split(table, '\n')) most = std::max(most, width_of(line));
  return most;
}

std::string words_of(int count) {
  std::string text = "word";
  for (int i = 1; i < count; ++i) text += " word";
  return text;
}

TEST(Columns, ALongLastCellIsFoldedInItsColumn) {
  const std::string table =
      table_text({"", gable::columns({"µ", "what"}), {{"a", words_of(40)}, {"b", "x"}}}, false);
  EXPECT_LE(widest(table), sentence_columns());
  EXPECT_NE(table.find("word\n     word"), std::string::npos) << table;
  EXPECT_TRUE(table.ends_with("\n  b  x\n")) << table;
}

TEST(Columns, ALongLastCellIsBelowOthersThatLeaveNoRoom) {
  const std::string name(sentence_columns() - 10, 'n');
  EXPECT_EQ(table_text({"", gable::columns({"", ""}), {{name, words_of(4)}, {"b", "not judged [1]"}}}, false),
            "  " + name + "\n      word word word word\n  b" + std::string(name.size() + 1, ' ') +
                "not judged [1]\n");
}

TEST(Columns, LinesEndNeitherBeforeAPercentSignNorInACommand) {
  EXPECT_EQ(gable::cli::folded("takes 33 % of its time", 2, 10), "takes 33 %\n  of its\n  time\n");
  EXPECT_EQ(gable::cli::folded("takes 133 % more", 2, 10), "takes\n  133 %\n  more\n");
  EXPECT_EQ(gable::cli::folded("run `a b c d` now", 0, 8), "run\n`a b c d`\nnow\n");
}

TEST(Columns, WordsAreAtTheLeftAndFiguresAtTheRight) {
  const Table words_last = {
      "A title", gable::columns({"name"}, {"n"}, {"why"}), {{"x", "10", "no reason"}}, {"Why."}};
  EXPECT_EQ(table_text(words_last), "A title\n  name   n  why\n  x     10  no reason\n  Why.\n\n");
  const Table figures_last = {"", gable::columns({"name"}, {"n"}), {{"x", {"10", "±1 %"}}, {"y", "7"}}};
  EXPECT_EQ(table_text(figures_last, false), "  name        n\n  x     10 ±1 %\n  y           7\n");
}

TEST(Columns, ATableWithoutRowsHasOnlyItsNotes) {
  EXPECT_EQ(table_text({"A title", gable::columns({"name"})}), "");
  EXPECT_EQ(table_text({"A title", gable::columns({"name"}), {}, {"Nothing."}}), "  Nothing.\n\n");
}

// Below each other, a block has only the lines of which it has a figure.
TEST(Columns, BlocksBelowEachOtherHaveNoEmptyLines) {
  const std::string first = "first " + words_of(20);
  const std::vector<Table> blocks = {{"Bandwidths", gable::columns({}, {""}), {{"10"}, {"20"}}},
                                     {"Latencies", gable::columns({}, {""}), {{""}, {"30"}}}};
  const std::string text = gable::cli::blocks_text({first, "second"}, blocks);
  EXPECT_EQ(text.find(first), text.rfind(first)) << text;
  EXPECT_NE(text.find("second"), text.rfind("second")) << text;
}

// A screen without room for both blocks does not make several clusters of one.
TEST(Columns, TheTableOfOneClusterSpeaksOfNoOthers) {
  gable::cli::ShownLine line;
  line.words = "L1 loads, " + words_of(20);
  line.unit = "GB/s";
  line.figures.emplace_back().value = 100;
  line.latencies.emplace_back().value = 1;
  const auto table = gable::cli::summary_table({line}, {});
  EXPECT_EQ(table.note, "");
  EXPECT_EQ(table.blocks.at(0).columns.at(0).name, "");
  EXPECT_EQ(table.blocks.at(1).columns.at(0).name, "");
}

}  // namespace
