#include "plots/charts/hybrid/panels.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "plots/charts/larm/frame.hpp"
#include "plots/charts/recorded.hpp"

namespace {

using namespace gable::charts;
using gable::model::Cell;
using gable::model::HybridPair;
using gable::model::Law;
using gable::model::Transfer;

// Each transfer at 50 GB/s, nothing hidden, and a cell for each tenth of the data in the fast memory.
HybridPair pair() {
  HybridPair pair;
  for (const Transfer x : gable::model::transfers) {
    pair.fit.bandwidths[x].gb_per_s = {50, 49, 51, 9};
    for (const Law law : gable::model::laws) {
      for (const Transfer y : gable::model::transfers) pair.fit.model(law).theta[x][y].value = 1;
    }
  }
  for (const auto term : gable::model::terms) pair.fit.model(Law::turnaround).terms[term].value = 0;
  for (int tenth = 0; tenth <= 10; ++tenth) {
    Cell cell;
    for (const Transfer x : {Transfer::ls, Transfer::ss}) cell.bytes[x] = 1e9 * (10 - tenth);
    for (const Transfer x : {Transfer::lf, Transfer::sf}) cell.bytes[x] = 1e9 * tenth;
    cell.seconds = {0.4, 0.39, 0.41, 9};
    pair.cells.push_back(cell);
  }
  return pair;
}

TEST(HybridPanels, AHugeIntervalLeavesTheRestItsRoom) {
  HybridPair usual = pair(), huge = pair();
  huge.cells[3].seconds.lo = 0.001;  // 20 TB/s
  HybridPanels one(usual), other(huge);
  one.add("half", 50, {});
  other.add("half", 50, {});
  EXPECT_FALSE(one.beyond());
  EXPECT_TRUE(other.beyond());
  EXPECT_LE(other.most(), 1.25 * one.most());
  EXPECT_NE(other.table().tsv().find("20000"), std::string::npos) << "the table has it whole";
}

TEST(HybridPanels, MissingLinesHaveTheirReason) {
  HybridPair whole = pair(), lacking = pair();
  auto& theta = lacking.fit.model(Law::phased).theta[Transfer::lf];
  for (const Transfer y : gable::model::transfers) theta[y] = {{}, {}, gable::model::Note("no cell tells")};
  HybridPanels one(whole), other(lacking);
  for (HybridPanels* panels : {&one, &other}) {
    panels->add("half", 50, {});
    panels->add("loads", 75, {});
  }
  EXPECT_TRUE(one.gaps().empty());
  ASSERT_FALSE(other.gaps().empty());
  EXPECT_NE(other.gaps().front().find("hidden by the loads from the fast memory is not known: no cell tells"),
            std::string::npos)
      << other.gaps().front();
}

TEST(HybridPanels, ABandwidthThatIsNotKnownIsNoGapOfAModel) {
  HybridPair lacking = pair();
  lacking.fit.bandwidths[Transfer::sf] = {{}, gable::model::Note("no pure cell")};
  HybridPanels panels(lacking);
  panels.add("half", 50, {});
  EXPECT_TRUE(panels.gaps().empty());  // the note names the bandwidth
}

TEST(Ticks, EveryLogarithmicAxisHasSome) {
  for (double from = 1e-6; from < 1e6; from *= 1.37) {
    for (const double factor : {1.9, 3.0, 9.0, 40.0, 1e4, 1e8}) {
      const std::vector<Tick> ticks = decade_ticks(from, factor * from);
      ASSERT_GE(ticks.size(), 3u) << from << " " << factor;
      EXPECT_LE(ticks.size(), 14u) << from << " " << factor;
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        EXPECT_TRUE(ticks[i].at >= from && ticks[i].at <= factor * from);
        EXPECT_TRUE(i == 0 || (ticks[i - 1].at < ticks[i].at && ticks[i - 1].text != ticks[i].text));
      }
    }
  }
}

// They would be endless.
TEST(Ticks, AnAxisWithoutAnEndHasNone) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(decade_ticks(0, 1).empty());
  EXPECT_TRUE(decade_ticks(1, endless).empty());
  LarmFrame frame;
  frame.x_from = -5;
  frame.x_to = endless;
  EXPECT_TRUE(larm_panel(frame).x.ticks->empty());
}

}  // namespace
