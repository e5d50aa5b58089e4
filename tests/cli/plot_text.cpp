#include "plots/charts/text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "plots/charts/chart.hpp"
#include "plots/charts/table.hpp"
#include "plots/gnuplot/gnuplot.hpp"

namespace {

using namespace gable::cli;
using gable::model::Roof;

TEST(PlotText, ThreeDigits) {
  EXPECT_EQ(three_digits(512.3), "512");
  EXPECT_EQ(three_digits(83.14), "83.1");
  EXPECT_EQ(three_digits(9.469), "9.47");
  EXPECT_EQ(three_digits(12345), "12345");
  EXPECT_EQ(three_digits(0.0123), "0.0123");
}

TEST(PlotText, Nodes) {
  EXPECT_EQ(nodes_text({3}), "node 3");
  EXPECT_EQ(nodes_text({5, 0, 2, 1}), "nodes 0–2, 5");
  EXPECT_EQ(nodes_text({1, 2}), "nodes 1, 2");
  EXPECT_EQ(nodes_text({-1}), "all nodes");
}

TEST(PlotText, IntervalIsNeverFlattered) {
  Roof roof;
  roof.value = 100;
  roof.lo = 99.95;
  roof.hi = 100.41;
  EXPECT_EQ(interval_text(roof), " ±0.5 %");
  roof.lo = roof.hi = 100;
  EXPECT_EQ(interval_text(roof), "");
}

// Wherever a ± stands, the chart says which end it tells of.
TEST(PlotText, PlusMinusIsExplained) {
  Roof roof;
  roof.value = 100;
  roof.lo = 60;
  roof.hi = 101;
  EXPECT_EQ(interval_text(roof), " ±40.0 %");
  EXPECT_NE(interval_note("Bands", {roof}, true).find("±: distance to the further end"), std::string::npos);
  EXPECT_EQ(interval_note("Bands", {roof}, false).find("±"), std::string::npos);
  EXPECT_EQ(interval_note("", {roof}, true).find("±: distance to the further end"), 0u);
  roof.lo = roof.hi = 100;
  EXPECT_EQ(interval_note("Bands", {roof}, true), "");
}

TEST(PlotTable, WritesNumbersThatReadBack) {
  Table table({"a", "b"});
  table.add_row();
  table.set("a", 0.1 + 0.2);
  table.set("b", std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(table.tsv(), "a\tb\n0.30000000000000004\t\n");
  EXPECT_THROW(table.set("c", 1), std::logic_error);
}

TEST(PlotTable, LeavesNoStructureInText) {
  Table table({"a"});
  table.add_row();
  table.set("a", "x\ty\nz \"q\" c:\\n");
  EXPECT_EQ(table.tsv(), "a\nx y z 'q' c:/n\n");
}

TEST(PlotGnuplot, SourceIsOneQuotedText) {
  EXPECT_EQ(as_source("it's \\n $(x) `y`\n"), "'it''s \\n $(x) `y` '");
  EXPECT_EQ(std::stod(as_source(0.1)), 0.1);
}

}  // namespace
