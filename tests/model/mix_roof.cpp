// The roof of a mix of loads and stores between two measured ones, and of pages of both sizes.

#include "model/points/limits/mix_roof.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "model/points/needs/needs.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

constexpr double load_gb_per_s = 40, mix_gb_per_s = 32, store_gb_per_s = 25;

Roof roof_of_pages(const char* op, double gb_per_s, const char* pages) {
  Roof roof = joe0::bandwidth(0, "memory", "local", 0, gb_per_s);
  roof.spec.op = Operation(op);
  roof.spec.pages = *pages_named(pages);
  roof.lo = 0.9 * gb_per_s;
  roof.hi = 1.1 * gb_per_s;
  return roof;
}

// Small pages reach three quarters of what huge ones reach.
Roofs with_both_pages() {
  Roofs roofs;
  for (const auto& [pages, factor] : {std::pair("2m", 1.0), {"4k", 0.75}}) {
    roofs.roofs.push_back(roof_of_pages("load", factor * load_gb_per_s, pages));
    roofs.roofs.push_back(roof_of_pages("mix2_1", factor * mix_gb_per_s, pages));
    roofs.roofs.push_back(roof_of_pages("store", factor * store_gb_per_s, pages));
    roofs.roofs.push_back(roof_of_pages("mix1_1_nt", factor * 99, pages));
  }
  return roofs;
}

Point with_loads(double share, std::optional<double> huge = {}) {
  Point point = on_node(1, 0, true);
  point.load_bytes = share * 1e9;
  point.store_bytes = (1 - share) * 1e9;
  point.levels = {{Level::memory(), 1e9}};
  point.huge_pages_percent = huge;
  return point;
}

Limit limit_at(double share, std::optional<double> huge = {}) {
  Case like = roof_of_pages("load", 1, "4k").spec;
  const Roofs roofs = with_both_pages();
  return roof_of_mix(BandwidthRoofs(roofs, like.cluster), with_loads(share, huge), like, 7).value();
}

TEST(MixRoof, IsExactWhereTheMixWasMeasured) {
  EXPECT_DOUBLE_EQ(limit_at(1).value, load_gb_per_s);
  EXPECT_DOUBLE_EQ(limit_at(2.0 / 3).value, mix_gb_per_s);
  EXPECT_DOUBLE_EQ(limit_at(0).value, store_gb_per_s);
  EXPECT_EQ(limit_at(1).name(), "DRAM node 0, local (load)");
}

TEST(MixRoof, TakesTheTimeOfOneMixAfterTheOther) {
  // A third of mix2_1 and two thirds of loads have 8/9 of loads.
  const Limit limit = limit_at(8.0 / 9);
  EXPECT_NEAR(1 / limit.value, 1.0 / 3 / mix_gb_per_s + 2.0 / 3 / load_gb_per_s, 1e-12);
  EXPECT_NEAR(limit.lo, 0.9 * limit.value, 1e-9);
  EXPECT_NEAR(limit.hi, 1.1 * limit.value, 1e-9);
  EXPECT_EQ(limit.name(), "DRAM node 0, local (89 % loads)");
  EXPECT_EQ(limit.measured, roof_of_pages("load", 1, "2m").spec) << "it has the largest part";
  double before = 0;
  for (int percent = 0; percent <= 100; ++percent) {
    const double value = limit_at(percent / 100.0).value;
    EXPECT_GE(value, before - 1e-9) << percent;
    before = value;
  }
}

TEST(MixRoof, TakesTheTimeOfBothSizesOfPages) {
  EXPECT_DOUBLE_EQ(limit_at(1, 100).value, load_gb_per_s);
  EXPECT_DOUBLE_EQ(limit_at(1, 0).value, 0.75 * load_gb_per_s);
  EXPECT_NEAR(1 / limit_at(1, 40).value, 0.4 / load_gb_per_s + 0.6 / (0.75 * load_gb_per_s), 1e-12);
  EXPECT_EQ(limit_at(1, 0).name(), "DRAM node 0, local (load, small pages)");
  EXPECT_EQ(limit_at(1, 40).name(), "DRAM node 0, local (load, 40 % on huge pages)");
}

// The interval of a disturbed figure of the other size of pages widens no roof of the first cache.
TEST(MixRoof, PagesDoNotMatterToTheFirstCache) {
  Roofs roofs;
  for (const auto& [pages, gb_per_s, error] : {std::tuple("4k", 600.0, 1.05), {"2m", 400.0, 200.0}}) {
    Roof roof = joe0::bandwidth(0, "L1", "cache", -1, gb_per_s);
    roof.spec.pages = *pages_named(pages);
    roof.lo = gb_per_s / error;
    roof.hi = gb_per_s * error;
    roofs.roofs.push_back(roof);
  }
  for (const double huge : {0.0, 50.0, 100.0}) {
    const auto limit =
        roof_of_mix(BandwidthRoofs(roofs, -1), with_loads(1, huge), roofs.roofs.front().spec, 7);
    ASSERT_TRUE(limit);
    EXPECT_DOUBLE_EQ(limit->value, 600);
    EXPECT_DOUBLE_EQ(limit->lo, 600 / 1.05);
  }
}

TEST(MixRoof, HugePagesAreAdvisedIfTheyHelp) {
  const Need need = needs_of(with_both_pages(), with_loads(1, 0), 0, {}).front();
  EXPECT_NEAR(need.on_huge_pages, 0.75 * need.share, 1e-9);
  Point point = with_loads(1, 0);
  point.threads = 1;
  const Need of_one = needs_of(with_both_pages(), point, 0, {}).front();
  EXPECT_NEAR(of_one.on_huge_pages, 0.75 * of_one.share, 1e-9) << "of one of seven cores";
  point.threads = 7;
  point.levels.front().read = 29e9;
  EXPECT_TRUE(
      says(read_point(with_both_pages(), point), "use huge pages, with which this takes 72 % instead"))
      << read_point(with_both_pages(), point).verdict.text();
  point.huge_pages_percent = 100;
  EXPECT_FALSE(says(read_point(with_both_pages(), point), "huge pages, with"))
      << read_point(with_both_pages(), point).verdict.text();
}

}  // namespace
}  // namespace gable::model
