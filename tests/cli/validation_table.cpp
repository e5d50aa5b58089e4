// The causes that `gable fit` names where programs do not reach their roofs, or exceed them.

#include "cli/fit/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "model/roofs/roofs.hpp"

namespace gable::cli::validation_table_tests {
namespace {

using gable::model::Kind;
using gable::model::Level;
using gable::model::Pattern;

using model::Roof;

constexpr double bandwidth = 400, peak = 100, ridge = peak / bandwidth;

Roof measured(Kind kind, const std::string& op, double value, double percent) {
  Roof roof;
  roof.spec.kind = kind;
  roof.spec.level = is_peak(kind) ? Level::core() : Level::cache(2);
  roof.spec.pattern = is_peak(kind) ? Pattern::core : Pattern::cache;
  roof.spec.op = gable::model::Operation(op);
  roof.spec.precision = is_peak(kind) ? gable::model::Precision::dp : gable::model::Precision::none;
  roof.value = value;
  roof.lo = value * (1 - percent / 100);
  roof.hi = value * (1 + percent / 100);
  roof.n = 700;
  return roof;
}

// The table for programs that reach `share` of the bound at so many times the intensity of the ridge.
std::string table_for(const std::function<double(double)>& share, double percent = 0.7,
                      const char* op = "load_fma") {
  model::Roofs roofs;
  roofs.roofs = {measured(Kind::bandwidth, "load", bandwidth, percent),
                 measured(Kind::flops, "fma", peak, 0.5)};
  std::vector<Roof> points;
  for (double ridges = 1.0 / 16; ridges < 17; ridges *= 2) {
    const double bound = std::min(ridges, 1.0) * peak;
    points.push_back(measured(Kind::validation, op, share(ridges) * bound, 0.5));
    points.back().spec.flop_per_byte = ridges * ridge;
  }
  roofs.validation = model::validate(points, roofs.roofs);
  return validation_table(roofs);
}

// Whether the text has the words, wherever its lines end.
bool has(std::string text, const char* words) {
  for (auto end = text.find("\n    "); end != std::string::npos; end = text.find("\n    "))
    text.erase(end, 4);
  std::ranges::replace(text, '\n', ' ');
  return text.find(words) != std::string::npos;
}

// An L2's roof was measured with a kernel slower than others, and it is the same in every visit.
TEST(ValidationTable, ProgramsAboveANarrowRoofWereNotDisturbed) {
  const std::string low = table_for([](double ridges) { return ridges < 0.6 ? 1.4 : 1; });
  EXPECT_TRUE(has(low, "another kernel than the roof's is faster, so this roof is too low")) << low;
  EXPECT_FALSE(has(low, "disturbed")) << low;
  EXPECT_FALSE(has(low, "easure again")) << low;
  const std::string fast = table_for([](double ridges) { return ridges > 1.5 ? 1.2 : 1; });
  EXPECT_TRUE(has(fast, "so the FMA peak is too low")) << fast;
  const std::string both = table_for([](double ridges) { return ridges > 0.6 && ridges < 1.5 ? 1.2 : 1; });
  EXPECT_TRUE(has(both, "so this roof or the FMA peak is too low")) << both;
}

// The loads of a roof are without prefetches, with which two cores of a large machine may load faster.
TEST(ValidationTable, ProgramsThatPrefetchMayBeFasterThanTheRoof) {
  const auto faster = [](double ridges) { return ridges < 0.6 ? 1.3 : 1; };
  const std::string with = table_for(faster, 0.7, "load_fma1_prefetch"), without = table_for(faster);
  EXPECT_TRUE(has(with, "A program with prefetches may be faster than this roof")) << with;
  EXPECT_FALSE(has(with, "too low")) << with;
  EXPECT_FALSE(has(without, "prefetches")) << without;
}

TEST(ValidationTable, WideIntervalsExplainWhatTheyCover) {
  const std::string wide = table_for([](double ridges) { return ridges < 0.6 ? 1.2 : 1; }, 30);
  EXPECT_TRUE(has(wide, "Measure again")) << wide;
}

TEST(ValidationTable, OverlapIsNamedOnlyWhereItSuffices) {
  const auto one_after_another = [](double ridges) { return 1 / (1 + std::min(ridges, 1 / ridges)); };
  const std::string no_overlap = table_for(one_after_another);
  EXPECT_TRUE(has(no_overlap, "do not overlap completely")) << no_overlap;
  const std::string less = table_for([&](double ridges) { return 0.8 * one_after_another(ridges); });
  EXPECT_TRUE(has(less, "the cause is not known")) << less;
  EXPECT_FALSE(has(less, "overlap")) << less;
}

TEST(ValidationTable, BesideTheRidgeACauseIsOnlyPossible) {
  const std::string loads = table_for([](double ridges) { return ridges < 0.6 && ridges > 0.3 ? 0.75 : 1; });
  EXPECT_TRUE(has(loads, "Perhaps fewer loads") || has(loads, "do not overlap")) << loads;
  const std::string flops = table_for([](double ridges) { return ridges > 3 && ridges < 5 ? 0.85 : 1; });
  EXPECT_TRUE(has(flops, "Perhaps the FMAs wait")) << flops;
}

TEST(ValidationTable, WhereProgramsReachTheRoofNoCauseIsNamed) {
  EXPECT_FALSE(has(table_for([](double) { return 0.99; }), "RMS above"));
}

}  // namespace
}  // namespace gable::cli::validation_table_tests
