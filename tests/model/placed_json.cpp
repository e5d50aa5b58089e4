// Placements are read as they were written, and contradictions are refused.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "model/json/lines.hpp"
#include "model/tiers/advice.hpp"
#include "tests/model/placed_records.hpp"

namespace gable::model {
namespace {

using namespace invented;

TEST(PlacedJson, RoundTrip) {
  Placed placed = placed_record("top-down", "DRAM", "/mnt/pmem", 0.1);
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
    Placed placed = placed_record(ranks == 1 ? "1 rank" : "16 ranks", "DRAM", "DRAM", 0.1);
    placed.workload = "pagerank";
    const std::string older = to_line(placed);
    placed.ranks = ranks;
    EXPECT_EQ(from_line<Placed>(older, "f:1"), placed);
    EXPECT_EQ(from_line<Placed>(to_line(placed), "f:1"), placed);
  }
}

TEST(PlacedJson, APublishedFigureIsARateWithItsSource) {
  const Placed placed = published_placement("DRAM", 7e9);
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

TEST(PlacedJson, ContradictionsAreRefused) {
  Placed placed = placed_record("x", "DRAM", "DRAM", 1);
  placed.seconds.pop_back();
  EXPECT_THROW(to_line(placed), Error);
  placed = placed_record("x", "DRAM", "DRAM", -1);
  EXPECT_THROW(to_line(placed), Error);
  placed = placed_record("x", "DRAM", "DRAM", 1);
  placed.reason = Note("why");
  EXPECT_THROW(to_line(placed), Error);
  EXPECT_THROW(from_line<Placed>("{}", "f:1"), Error);
  EXPECT_THROW(from_line<Placed>("[1", "f:1"), Error);
}

TEST(PlacedJson, ANumberTooLargeIsNamedWithItsPlace) {
  std::string line = to_line(placed_record("x", "DRAM", "DRAM", 1));
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
  Placed first = placed_record("x", "DRAM", "DRAM", 1), other = placed_record("x", "DRAM", "NVM", 1),
         again = placed_record("x", "DRAM", "DRAM", 2);
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
}  // namespace gable::model
