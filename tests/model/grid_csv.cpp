#include "model/hybrid/grid_csv.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace gable::model {
namespace {

const std::string header = "load_slow_bytes,store_slow_bytes,load_fast_bytes,store_fast_bytes,seconds\n";

std::string csv_error_of(const std::string& text) {
  try {
    grid_from_csv(text, "g.csv");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(GridCsv, ColumnsInAnyOrderAmongOthers) {
  const CsvGrid grid = grid_from_csv(
      "\xef\xbb\xbfnote, seconds ,\"load_fast_bytes\",store_fast_bytes,store_slow_bytes,load_slow_bytes\r\n"
      "\r\n"
      "\"a, \"\"b\"\"\",2,3e9,4,+5,6\r\n"
      ",\"1.5\" , 3e9,4,5,6\n"
      "\n"
      "x,1,0,0,-0,7",
      "g.csv");
  EXPECT_EQ(grid.rows, 3);
  ASSERT_EQ(grid.cells.size(), 2u);
  EXPECT_EQ(grid.cells[0].bytes, (Quantities{{6, 5, 3e9, 4}}));
  EXPECT_EQ(grid.cells[0].seconds.value, 1.75);
  EXPECT_EQ(grid.cells[0].seconds.n, 2);
  EXPECT_EQ(grid.cells[1].bytes, (Quantities{{7, 0, 0, 0}}));
  EXPECT_EQ(grid.cells[1].seconds.value, 1);
}

TEST(GridCsv, RowsOfOneCellAreItsRepetitions) {
  std::string text = header;
  for (int i = 1; i <= 101; ++i) text += fmt::format("1,2,3,4,{}\n5,6,7,8,1\n", i);
  const CsvGrid grid = grid_from_csv(text, "g.csv");
  ASSERT_EQ(grid.cells.size(), 2u);
  EXPECT_EQ(grid.rows, 202);
  EXPECT_EQ(grid.cells[0].seconds.value, 51);
  EXPECT_LT(grid.cells[0].seconds.lo, 51);
  EXPECT_GT(grid.cells[0].seconds.hi, 51);
  EXPECT_EQ(grid.cells[0].seconds.n, 101);
}

TEST(GridCsv, FaultsAreNamedWithTheirLine) {
  const auto expect = [](const std::string& text, const std::string& error) {
    EXPECT_EQ(csv_error_of(text).find(error), 0u)
        << "'" << csv_error_of(text) << "' instead of '" << error << "'";
  };
  expect("", "g.csv:1: empty file");
  expect("\n\r\n", "g.csv:1: empty file");
  expect(header, "g.csv:1: no row");
  expect("seconds,load_slow_bytes\n",
         "g.csv:1: no column store_slow_bytes, load_fast_bytes, store_fast_bytes; ");
  expect("1,2,3,4,5\n", "g.csv:1: no column load_slow_bytes, ");
  expect("seconds," + header, "g.csv:1: column seconds appears twice");
  expect("\n" + header + "1,2,3,4\n", "g.csv:3: 4 fields, but the first line names 5");
  expect(header + "1,2,3,4,5,6\n", "g.csv:2: 6 fields");
  expect(header + "1,2,3,4,5,\n", "g.csv:2: 6 fields");
  expect(header + "1,2,3,4,5\n1,x,3,4,5\n", "g.csv:3: store_slow_bytes is 'x', expected a number");
  expect(header + "1,,3,4,5\n", "g.csv:2: store_slow_bytes is ''");
  expect(header + "1,2 3,3,4,5\n", "g.csv:2: store_slow_bytes is '2 3'");
  expect(header + "1,0x5,3,4,5\n", "g.csv:2: store_slow_bytes is '0x5'");
  expect(header + "1,nan,3,4,5\n", "g.csv:2: store_slow_bytes is 'nan'");
  expect(header + "1,2,3,4,NaN\n", "g.csv:2: seconds is 'NaN'");
  expect(header + "1,2,3,4,inf\n", "g.csv:2: seconds is 'inf'");
  expect(header + "1,2,3,4,1e999\n", "g.csv:2: seconds is '1e999'");
  expect(header + "1,2,3,4,0\n", "g.csv:2: seconds is 0, expected more than 0");
  expect(header + "1,2,3,4,-1\n", "g.csv:2: seconds is -1, expected more than 0");
  expect(header + "1,2,-3,4,1\n", "g.csv:2: load_fast_bytes is -3, expected 0 or more");
  expect(header + "0,0,0,0,1\n", "g.csv:2: all bytes are 0");
  expect(header + "1,2,3,4,1e-300\n", "g.csv:2: 1 bytes in 1e-300 seconds is not a bandwidth");
  expect(header + "1,2,3,\"4,1\n", "g.csv:2: a quote is opened here and never closed");
  expect(header + "1,2,3,\"4\"4,1\n", "g.csv:2: something follows a quoted cell");
  expect(header + std::string("1,2,3,4,\0\n", 10), "g.csv:2: seconds is '");
}

}  // namespace
}  // namespace gable::model
