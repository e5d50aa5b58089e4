// Tables and charts give the same interval, and never a narrower one than was measured.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/fit/tables.hpp"
#include "model/roofs/interval.hpp"
#include "plots/charts/text.hpp"
#include "tests/plots/larm_machines.hpp"

namespace {

using namespace gable::charts;
using gable::charts::tests::invented_roof;
using gable::cli::roof_table;
using gable::model::interval_percent;
using gable::model::Kind;
using gable::model::Roof;

TEST(Interval, IsTheSameInTheTableAndOnTheChart) {
  for (const double lo : {0.9931, 0.99, 0.8361, 0.5}) {
    Roof one = invented_roof(Kind::bandwidth, 100, 0, "DRAM");
    one.lo = 100 * lo;
    const double distance = interval_percent(one).value();
    EXPECT_GE(distance, 100 * (1 - lo) - 1e-9) << "flattered";
    EXPECT_LT(distance, 100 * (1 - lo) + 0.1 + 1e-9);
    const std::string percent = fmt::format("{:.1f}", distance);
    gable::model::Roofs roofs;
    roofs.roofs = {one};
    EXPECT_NE(roof_table(roofs).find(" " + percent + " %"), std::string::npos);
    EXPECT_EQ(interval_text(one), " ±" + percent + " %");
    EXPECT_FALSE(has_wide_interval(one));
  }
  Roof wide = invented_roof(Kind::bandwidth, 100, 0, "DRAM");
  wide.lo = 13, wide.hi = 1060;
  EXPECT_EQ(interval_text(wide), " (13.0 to 1060)");
  wide.lo = 1, wide.hi = 10000;
  EXPECT_EQ(interval_text(wide), " ±?");
  EXPECT_TRUE(has_wide_interval(wide)) << "no band is drawn";
}

}  // namespace
