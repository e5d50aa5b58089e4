// The time of arithmetic: every operation, precision and width of vectors at its own peak.

#include "model/points/needs/arithmetic.hpp"

#include <gtest/gtest.h>

#include <map>

#include "model/json/points.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

// GFlop/s of the seven cores.
const std::map<std::pair<std::string, std::string>, double> peaks_of_widths = {
    {{"fma", "avx512"}, 800},       {{"add", "avx512"}, 400},       {{"mul", "avx512"}, 400},
    {{"fma", "avx2"}, 500},         {{"add", "avx2"}, 250},         {{"div", "avx512"}, 40},
    {{"sqrt", "avx512"}, 24},       {{"add_scalar", "avx512"}, 50}, {{"fma_scalar", "avx512"}, 100},
    {{"div_scalar", "avx512"}, 10}, {{"sqrt_scalar", "avx512"}, 6}};

Roofs with_peaks_of_widths() {
  Roofs roofs;
  for (const auto& [kernel, value] : peaks_of_widths) {
    Roof roof = joe0::peak(0, kernel.first.c_str(), value);
    roof.spec.kernel = kernel.first + "_dp_" + kernel.second;
    roofs.roofs.push_back(roof);
  }
  return roofs;
}

Point computing(std::vector<Arithmetic> arithmetic) {
  Point point = on_node(1, 0, true);
  point.flops = 0;
  for (const Arithmetic& work : arithmetic) point.flops += work.flops;
  point.arithmetic = std::move(arithmetic);
  point.precision = Precision::dp;
  point.levels = {{Level::memory(), 1e6}};
  return point;
}

Arithmetic flops_of_kind(const char* op, int bits, double count) {
  return {Operation(op), Precision::dp, bits, count};
}

TEST(Arithmetic, EachWidthHasItsPeak) {
  for (const auto& [bits, peak] : {std::pair(512, 800.0), {256, 500.0}, {0, 100.0}}) {
    const auto units = unit_times(with_peaks_of_widths(), computing({flops_of_kind("fma", bits, 1e9)}), 0);
    ASSERT_EQ(units.size(), 1u);
    EXPECT_DOUBLE_EQ(units[0].limit.value, peak) << bits;
  }
}

// As a published machine may: its table has the peak of fused multiply-adds alone.
TEST(Arithmetic, WithoutPeaksOfTheirOwnAdditionsTakeAsLongAsFusedOnes) {
  Roofs roofs = with_peaks_of_widths();
  std::erase_if(roofs.roofs, [](const Roof& roof) { return roof.spec.op != operations::fma; });
  for (const char* op : {"add", "mul"}) {
    const auto units = unit_times(roofs, computing({flops_of_kind(op, 512, 1e9)}), 0);
    ASSERT_EQ(units.size(), 1u) << op;
    EXPECT_DOUBLE_EQ(units[0].limit.value, 400) << op;
  }
  EXPECT_TRUE(unit_times(roofs, computing({flops_of_kind("div", 512, 1e9)}), 0).empty());
}

TEST(Arithmetic, NarrowVectorsAreNamedWithWhatWiderOnesGain) {
  Point narrow = computing({flops_of_kind("fma", 256, 1e9)});
  narrow.seconds = narrow.seconds_lo = narrow.seconds_hi = 1 / 490.0;
  const Reading reading = read_point(with_peaks_of_widths(), narrow);
  EXPECT_EQ(reading.roof, "256-bit FMA DP");
  EXPECT_TRUE(says(reading, "use wider vectors, for which this peak is 1.6 times as high"))
      << reading.verdict.text();
  Point wide = computing({flops_of_kind("fma", 512, 1e9)});
  wide.seconds = wide.seconds_lo = wide.seconds_hi = 1 / 790.0;
  EXPECT_EQ(read_point(with_peaks_of_widths(), wide).roof, "FMA DP");
}

TEST(Arithmetic, TimesOfAUnitAddUp) {
  const auto units = unit_times(with_peaks_of_widths(),
                                computing({flops_of_kind("fma", 512, 8e9), flops_of_kind("add", 256, 5e9),
                                           flops_of_kind("mul", 0, 1e9)}),
                                0);
  ASSERT_EQ(units.size(), 1u);
  EXPECT_DOUBLE_EQ(units[0].flops, 14e9);
  EXPECT_NEAR(units[0].flops / units[0].limit.value, 1e9 * (8.0 / 800 + 5.0 / 250 + 1.0 / 50), 1);
  EXPECT_EQ(units[0].limit.name(), "256-bit ADD DP") << "it takes most of the time or as much";
}

// u[i] -= c * sqrt(u[i]) / (1 + u[i]): the divider is busy all the time.
TEST(Arithmetic, DivisionsAndRootsBindWhatConsistsOfThem) {
  Point heat = computing({flops_of_kind("add", 0, 2e9), flops_of_kind("mul", 0, 1e9),
                          flops_of_kind("div", 0, 1e9), flops_of_kind("sqrt", 0, 1e9)});
  heat.seconds = heat.seconds_lo = heat.seconds_hi = 0.28;  // 1 / 10 + 1 / 6 = 0.267
  const Reading reading = read_point(with_peaks_of_widths(), heat);
  EXPECT_TRUE(says(reading, "the divider binds it")) << reading.verdict.text();
  EXPECT_EQ(reading.roof, "scalar SQRT DP");
  EXPECT_NEAR(reading.reached_percent, 100 * (0.1 + 1 / 6.0) / 0.28, 1e-6);
}

// Vectors of another width than those measured take as long as the widest, or less.
TEST(Arithmetic, AnUnmeasuredWidthIsARange) {
  const auto units = unit_times(with_peaks_of_widths(), computing({flops_of_kind("div", 256, 1e9)}), 0);
  ASSERT_EQ(units.size(), 1u);
  EXPECT_DOUBLE_EQ(units[0].limit.value, 20);
  EXPECT_DOUBLE_EQ(units[0].limit.lo, 20);
  EXPECT_DOUBLE_EQ(units[0].limit.hi, 40);
}

// One of seven cores divides at a seventh of the peak, or faster by its clock.
TEST(Arithmetic, FewerCoresHaveTheirPart) {
  Point point = computing({flops_of_kind("div", 0, 1e9)});
  point.threads = 1;
  const auto units = unit_times(with_peaks_of_widths(), point, 0);
  ASSERT_EQ(units.size(), 1u);
  EXPECT_DOUBLE_EQ(units[0].limit.value, 10.0 / 7);
  EXPECT_DOUBLE_EQ(units[0].limit.hi, 20.0 / 7);
}

TEST(Arithmetic, IsWrittenAndRead) {
  const Point point = computing({flops_of_kind("div", 256, 1e9), {operations::sqrt, Precision::sp, 0, 5}});
  EXPECT_EQ(points_from_json(points_to_json({point}, {Reading{}}), "p"), std::vector{point});
  std::string text = points_to_json({point}, {Reading{}});
  text.replace(text.find("\"div\""), 5, "\"pow\"");
  EXPECT_ANY_THROW(points_from_json(text, "p"));
}

}  // namespace
}  // namespace gable::model
