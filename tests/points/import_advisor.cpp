// Advisor's tables, valid and damaged, and files of no known tool.

#include "base/reading.hpp"
#include "tests/points/importing.hpp"

namespace gable::points {
namespace {

using tests::expect_error;
using tests::with;

constexpr const char* advisor =
    "ID,Function Call Sites and Loops,Self Elapsed Time,Self GFLOP,Self Loaded GB,Self Stored GB,Thread "
    "Count\n"
    "1,\"[loop in triad at triad.c:10, \"\"hot\"\"]\",0.50s,2,24,8,4\n"
    "2,[loop in main at main.c:3],0.1s,,,,1\n"
    "3,f,1.5s,0.25,1 000.5,0,1\n";

TEST(ImportAdvisor, RowsWithFlopsAndTime) {
  const auto regions = import_advisor(advisor, "f.csv");
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].name, "[loop in triad at triad.c:10, \"hot\"]");
  EXPECT_EQ(regions[0].work.flop_count(), 2000000000u);
  EXPECT_EQ(regions[0].work.load_bytes, 24000000000u);
  EXPECT_EQ(regions[0].work.store_bytes, 8000000000u);
  EXPECT_EQ(regions[0].seconds, 0.5);
  EXPECT_EQ(regions[0].threads, 4);
  EXPECT_EQ(regions[1].work.load_bytes, 1000500000000u);
  EXPECT_EQ(import_format(advisor, "f.csv"), "advisor");
}

TEST(ImportAdvisor, ThePythonApisTableTooAndLoadsWithStores) {
  const std::string text =
      "\tloop_name\tself_elapsed_time\tself_gflop\tself_memory_gb\n0\tsum\t2\t4\t8\n1\tidle\tnan\tnan\tnan\n";
  const auto regions = import_advisor(text, "f.csv");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].work.load_bytes, 8000000000u);
  EXPECT_EQ(regions[0].notes.at(0), gable::model::NoteCode::loads_and_stores_together);
}

TEST(ImportAdvisor, ErrorsNameLineAndColumn) {
  const auto import = [](const std::string& text) { return [text] { import_advisor(text, "f.csv"); }; };
  expect_error(import(with(advisor, "Self Elapsed Time", "Self Time")),
               "f.csv:1: no column 'self_elapsed_time'");
  expect_error(import(with(advisor, "Self GFLOP", "x")), "no column 'self_gflop'");
  expect_error(import(with(advisor, "Self Stored GB", "x")), "no column 'self_stored_gb'");
  expect_error(import(with(advisor, "0.50s", "fast")), "f.csv:2: column 3 (self_elapsed_time): 'fast'");
  expect_error(import(with(advisor, "3,f,1.5s,0.25,1 000.5,0,1", "3,f,1.5s")),
               "f.csv:4: 3 columns, the header has 7");
  expect_error(import("a,b\n1,2\n"), "not a survey");
  expect_error(import("loop_name,self_elapsed_time,self_gflop,self_memory_gb\n"), "no row");
}

TEST(ImportAdvisor, SemicolonsSeparateTooAndATabMayBeInAName) {
  const std::string text = "loop_name;self_elapsed_time;self_gflop;self_memory_gb\nsum\there;2;4;8\n";
  EXPECT_EQ(import_format(text, "f"), "advisor");
  EXPECT_EQ(import_advisor(text, "f").at(0).name, "sum\there");
  expect_error([&] { import_advisor(with(text, ";4;", ";4,5;"), "f"); }, "LC_ALL=C");
}

TEST(ImportFormat, MarksOfATextAreKnown) {
  EXPECT_EQ(unmarked_text("\xef\xbb\xbfTABLE", "f"), "TABLE");
  expect_error([] { unmarked_text("\xff\xfet", "f"); }, "f:1: the text is UTF-16");
  expect_error([] { import_format("# started on Mon\n\n5;;cycles;1;100,00;;\n", "f"); },
               "perf stat -j -o FILE");
}

TEST(ImportFormat, AnythingElseIsRefused) {
  EXPECT_THROW(import_format("hello", "f"), Error);
  EXPECT_THROW(import_format("", "f"), Error);
}

}  // namespace
}  // namespace gable::points
