// The attainable share of a roof: known curves are recovered, and points are judged by them.

#include "model/roofs/attainable.hpp"

#include <gtest/gtest.h>

#include "model/points/binding.hpp"

namespace gable::model {
namespace {

constexpr double bandwidth = 400, peak = 100, ridge = peak / bandwidth;

Roof measured(Kind kind, const std::string& op, double value) {
  Roof out;
  out.spec.kind = kind;
  out.spec.cluster = 0;
  out.spec.level = is_peak(kind) ? Level::core() : Level::cache(1);
  out.spec.pattern = is_peak(kind) ? Pattern::core : Pattern::cache;
  out.spec.op = Operation(op);
  out.spec.precision = is_peak(kind) ? Precision::dp : Precision::none;
  out.value = out.lo = out.hi = value;
  out.n = 9;
  return out;
}

const std::vector<Roof> bare_roofs = {measured(Kind::bandwidth, "load", bandwidth),
                                      measured(Kind::flops, "fma", peak)};

// A core that does both one after another: 1 / (1 / memory + 1 / peak).
double one_after_another(double intensity) {
  return 1 / (1 / (intensity * bandwidth) + 1 / peak);
}

Validation validation(double (*reached)(double)) {
  std::vector<Roof> points;
  for (double intensity = ridge / 16; intensity < 17 * ridge; intensity *= 2) {
    points.push_back(measured(Kind::validation, "load_fma", reached(intensity)));
    points.back().spec.flop_per_byte = intensity;
  }
  return validate(points, bare_roofs).front();
}

double on_the_roof(double intensity) {
  return std::min(intensity * bandwidth, peak);
}

TEST(Attainable, ACoreThatDoesOneAfterAnotherIsRecoveredAtEveryIntensity) {
  const Validation found = validation(one_after_another);
  EXPECT_NEAR(attainable_share(found, 1), 0.5, 1e-9);
  for (double ridges = 1.0 / 15; ridges < 15; ridges *= 1.1) {
    const double share = attainable_share(found, ridges);
    EXPECT_NEAR(share, one_after_another(ridges * ridge) / on_the_roof(ridges * ridge), 0.03) << ridges;
    EXPECT_NEAR(share, attainable_share(found, 1.001 * ridges), 0.001) << "a jump at " << ridges;
  }
}

TEST(Attainable, BeyondThePointsItIsTheRoof) {
  const Validation found = validation(one_after_another);
  for (const double ridges : {0.01, 100.0}) EXPECT_EQ(attainable_share(found, ridges), 1) << ridges;
}

TEST(Attainable, LessThanOneAfterAnotherIsNotTheCores) {
  const Validation found = validation([](double intensity) { return 0.3 * on_the_roof(intensity); });
  for (const double ridges : {1.0 / 8, 1.0 / 3, 1.0, 5.0}) {
    const double one_after = one_after_another(ridges * ridge) / on_the_roof(ridges * ridge);
    EXPECT_NEAR(attainable_share(found, ridges), one_after, 1e-9) << ridges;
  }
}

TEST(Attainable, WhereProgramsReachTheRoofNothingFallsShort) {
  const Validation found = validation(on_the_roof);
  EXPECT_EQ(attainable_share(found, 1.3), 1);
  EXPECT_FALSE(shortfall(found, bare_roofs));
  EXPECT_NEAR(*rms_percent_off_ridge(found), 0, 1e-9);
}

TEST(Attainable, TheErrorOffTheRidgeIsThatOfThePointsThere) {
  const Validation found = validation([](double intensity) {
    const bool is_near = intensity > 0.6 * ridge && intensity < 1.9 * ridge;
    return (is_near ? 0.5 : 0.9) * on_the_roof(intensity);
  });
  EXPECT_NEAR(*rms_percent_off_ridge(found), 10, 1e-9);
}

TEST(Attainable, PointsThatAreNotOkDoNotCount) {
  Validation found = validation(one_after_another);
  for (ValidationPoint& point : found.points) point.measured.status = Status::invalid;
  EXPECT_EQ(attainable_share(found, 1), 1);
  EXPECT_FALSE(rms_percent_off_ridge(found));
}

TEST(Attainable, TheFarthestPointIsNamedWithItsPlace) {
  const auto near = shortfall(validation(one_after_another), bare_roofs);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->place, Shortfall::Place::near_ridge);
  EXPECT_NEAR(near->flop_per_byte, ridge, 1e-9);
  EXPECT_NEAR(near->reached_percent, 50, 1e-9);
  EXPECT_TRUE(near->partly_overlaps);
  const auto slow = shortfall(validation([](double intensity) {
                                return intensity < 2 * ridge ? on_the_roof(intensity) : 0.3 * peak;
                              }),
                              bare_roofs);
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->place, Shortfall::Place::above_ridge);
  EXPECT_NEAR(slow->reached_percent, 30, 1e-9);
  EXPECT_FALSE(slow->partly_overlaps);
  const auto starved =
      shortfall(validation([](double intensity) {
                  return intensity < ridge / 2 ? 0.4 * intensity * bandwidth : on_the_roof(intensity);
                }),
                bare_roofs);
  ASSERT_TRUE(starved);
  EXPECT_EQ(starved->place, Shortfall::Place::below_ridge);
}

// The bandwidth that programs meet is half of that of the roof.
double at_half_the_bandwidth(double intensity) {
  return std::min(0.5 * intensity * bandwidth, peak);
}

TEST(Attainable, IntervalsExplainWhatTheyCover) {
  const Validation found = validation(at_half_the_bandwidth);
  EXPECT_FALSE(shortfall(found, bare_roofs)->within_intervals);
  std::vector<Roof> uncertain = bare_roofs;
  uncertain.front().lo = 0.45 * bandwidth;
  EXPECT_TRUE(shortfall(found, uncertain)->within_intervals);
  uncertain.front().lo = 0.55 * bandwidth;
  EXPECT_FALSE(shortfall(found, uncertain)->within_intervals);
  Validation vague = found;
  for (ValidationPoint& point : vague.points) point.measured.hi = 1.2 * point.measured.value;
  EXPECT_TRUE(shortfall(vague, uncertain)->within_intervals);
  const auto above = [](double intensity) { return 1.2 * on_the_roof(intensity); };
  EXPECT_FALSE(shortfall(validation(above), uncertain)->within_intervals);
}

TEST(Attainable, APointThatNoIntervalExplainsIsNotHiddenByAFartherOne) {
  std::vector<Roof> uncertain = bare_roofs;
  uncertain.front().lo = 0.45 * bandwidth;
  const auto found =
      shortfall(validation([](double intensity) {
                  return intensity > 10 * ridge ? 0.8 * peak : at_half_the_bandwidth(intensity);
                }),
                uncertain);
  EXPECT_FALSE(found->within_intervals);
  EXPECT_NEAR(found->reached_percent, 80, 1e-9);
}

TEST(Attainable, PointsOfAnotherStateOfTheMachineDoNotCount) {
  Validation found = validation(at_half_the_bandwidth);
  std::vector<Roof> points;
  for (const ValidationPoint& point : found.points) points.push_back(point.measured);
  for (Roof& point : points) point.other_state = point.spec.flop_per_byte < 1.5 * ridge;
  found = validate(points, bare_roofs).front();
  EXPECT_NEAR(*found.rms_percent, 0, 1e-9);
  EXPECT_EQ(attainable_share(found, 0.9), 1);
}

Reading reading_of(const Validation& validation, double gflop_per_s) {
  Roofs fitted;
  fitted.roofs = bare_roofs;
  fitted.validation = {validation};
  fitted.levels = {{0, Level::cache(1), 32 << 10, 32 << 10, true, {}}};
  Point point;
  point.cluster = 0;
  point.alone = true;
  point.seconds = 1;
  point.precision = Precision::dp;
  point.node_bytes = {{0, 16 << 10}};
  point.flops = gflop_per_s * 1e9;
  point.load_bytes = point.flops / ridge;
  return read_point(fitted, point);
}

TEST(Attainable, APointAtTheRidgeHasTheHeadroomThatProgramsHave) {
  const Reading bare = reading_of(validation(on_the_roof), 40);
  EXPECT_NEAR(bare.headroom_percent, 150, 1e-6);
  const Reading judged = reading_of(validation(one_after_another), 40);
  EXPECT_NEAR(judged.reached_percent, 40, 1e-6);
  EXPECT_NEAR(judged.headroom_percent, 25, 1e-6);
  EXPECT_NE(judged.verdict.text().find("(at its intensity validation programs reach 50 %)"),
            std::string::npos)
      << judged.verdict.text();
  EXPECT_NE(judged.verdict.text().find("binds it"), std::string::npos) << judged.verdict.text();
  EXPECT_EQ(reading_of(validation(one_after_another), 55).headroom_percent, 0)
      << "it does better than the programs";
}

}  // namespace
}  // namespace gable::model
