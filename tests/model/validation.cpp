// Points under the roofs: the errors of invented deviations are found.

#include "model/roofs/validation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/roofs/roofs.hpp"

namespace gable::model {
namespace {

Roof roof(Kind kind, const std::string& level, const std::string& op, double value) {
  Roof out;
  out.spec.kind = kind;
  out.spec.cluster = 1;
  out.spec.level = Level(level);
  out.spec.pattern = level == "core" ? Pattern::core : level == "memory" ? Pattern::local : Pattern::cache;
  out.spec.node = level == "core" ? -1 : 2;
  out.spec.tier = level == "core" ? Tiers() : Tier::dram;
  out.spec.op = Operation(op);
  out.spec.kernel = op + "_avx2";
  out.spec.precision = is_peak(kind) ? Precision::dp : Precision::none;
  out.spec.threads = 4;
  out.value = out.lo = out.hi = value;
  out.unit = kind == Kind::bandwidth ? "GB/s" : "GFlop/s";
  out.n = 9;
  return out;
}

std::vector<Roof> roofs() {
  return {roof(Kind::bandwidth, "L1", "load", 400), roof(Kind::bandwidth, "memory", "load", 20),
          roof(Kind::bandwidth, "memory", "store", 1000), roof(Kind::flops, "core", "fma", 100),
          roof(Kind::flops, "core", "add", 1000)};
}

Roof point(const std::string& level, double flop_per_byte, double gflop_per_s) {
  Roof out = roof(Kind::validation, level, "load_fma", gflop_per_s);
  out.spec.flop_per_byte = flop_per_byte;
  return out;
}

TEST(Validation, APointOnItsRoofHasNoError) {
  // The ridge of memory is at 5 flop/byte, that of L1 at a quarter.
  const auto found = validate({point("memory", 1, 20), point("memory", 4, 80), point("memory", 16, 100),
                               point("L1", 0.125, 50), point("L1", 1, 100)},
                              roofs());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].gb_per_s, 20);
  EXPECT_EQ(found[1].gb_per_s, 400);
  for (const Validation& each : found) {
    EXPECT_EQ(each.peak_gflop_per_s, 100);
    EXPECT_EQ(each.rms_percent, 0);
    EXPECT_EQ(each.max_percent, 0);
    EXPECT_EQ(each.paper_percent, 0);
  }
}

TEST(Validation, ErrorsAreThoseOfTheFormulas) {
  const auto found = validate(
      {point("memory", 1, 20 * 0.97), point("memory", 2, 40 * 1.04), point("memory", 64, 100.0)}, roofs());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(*found[0].max_percent, 4, 1e-9);
  EXPECT_NEAR(*found[0].rms_percent, 5 / std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(*found[0].paper_percent, 5 / 3.0, 1e-9);
}

TEST(Validation, TheBestPointOfAnIntensityCountsAndWhatIsNotOkDoesNot) {
  Roof slow = point("memory", 1, 10), good = point("memory", 1, 20), spoilt = point("memory", 2, 1);
  slow.spec.kernel = "load_fma_avx512";
  spoilt.status = Status::invalid;
  spoilt.reason = Note("others");
  for (const auto& points : {std::vector{slow, good, spoilt}, std::vector{spoilt, good, slow}}) {
    const auto found = validate(points, roofs());
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].points.size(), 2u);
    EXPECT_EQ(found[0].points[0].measured.value, 20);
    EXPECT_EQ(found[0].points[0].bound, 20);
    EXPECT_EQ(found[0].points[1].measured.status, Status::invalid);
    EXPECT_EQ(found[0].rms_percent, 0);
  }
}

TEST(Validation, WithoutARoofThereIsNoError) {
  const auto none = validate({point("memory", 1, 20)}, {});
  ASSERT_EQ(none.size(), 1u);
  EXPECT_FALSE(none[0].rms_percent);
  EXPECT_FALSE(none[0].gb_per_s);
  const auto no_peak = validate({point("memory", 64, 1280)}, {roof(Kind::bandwidth, "memory", "load", 20)});
  EXPECT_EQ(no_peak[0].points[0].bound, 0);
  EXPECT_FALSE(no_peak[0].rms_percent);
  EXPECT_FALSE(no_peak[0].max_percent);
}

// Samples to the file and back; a point is not a roof.
TEST(Validation, StandsInTheFile) {
  Sample sample;
  sample.spec = point("memory", 0.25, 5).spec;
  sample.work = {5e9, 5e9};
  sample.seconds = {1, 1};
  Sample load = sample;
  load.spec = roof(Kind::bandwidth, "memory", "load", 20).spec;
  load.work = {20e9, 20e9};
  const Roofs fitted = fit({sample, load}, {});
  ASSERT_EQ(fitted.roofs.size(), 1u);
  ASSERT_EQ(fitted.validation.size(), 1u);
  EXPECT_EQ(fitted.validation[0].points[0].measured.value, 5);
  EXPECT_EQ(fitted.validation[0].points[0].measured.unit, "GFlop/s");
  EXPECT_NEAR(*fitted.validation[0].rms_percent, 0, 1e-9);
  EXPECT_EQ(roofs_from_json(roofs_to_json(fitted), "roofs.json"), fitted);
}

}  // namespace
}  // namespace gable::model
