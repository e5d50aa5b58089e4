// The measured time of functions: its interval, what explains it, and its form in files.

#include "model/points/function_time.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/json/points.hpp"
#include "model/statistics/statistics.hpp"
#include "tests/model/joe0.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

TEST(FunctionTime, TheIntervalIsThatOfWilson) {
  const auto [lo, hi] = share_interval(10, 100);  // Newcombe 1998: 0.0552 to 0.1744
  EXPECT_NEAR(lo, 0.0552, 5e-4);
  EXPECT_NEAR(hi, 0.1744, 5e-4);
  EXPECT_EQ(share_interval(0, 50).first, 0);
  EXPECT_GT(share_interval(0, 50).second, 0.05);
  EXPECT_EQ(share_interval(50, 50).second, 1);
}

// Two threads that compute all the time, and `samples` of one function.
Point with_samples(double samples, double all) {
  Point point;
  point.threads = 2;
  point.seconds = 2;
  point.user_seconds = 3;
  point.kernel_seconds = 1;
  point.functions = {{"solve", "app", 1e9, 8e9, 0}};
  point.functions.front().samples = samples;
  point.samples.all = all;
  point.samples.seconds = 1e-3;
  return point;
}

FunctionVerdict verdict_of_need(const Point& point, double share) {
  return explained_time(point, point.functions.front(), share, 0.98 * share, 1.02 * share)->verdict;
}

TEST(FunctionTime, ANeedExplainsAPartOfIt) {
  const Point point = with_samples(2000, 4000);
  EXPECT_EQ(verdict_of_need(point, 0.48), FunctionVerdict::binds);
  EXPECT_EQ(verdict_of_need(point, 0.41), FunctionVerdict::may_bind);
  EXPECT_EQ(verdict_of_need(point, 0.3), FunctionVerdict::takes_most);
  EXPECT_EQ(verdict_of_need(point, 0.1), FunctionVerdict::unexplained);
  EXPECT_EQ(verdict_of_need(point, 0.9), FunctionVerdict::contradiction);
  const auto explained = explained_time(point, point.functions.front(), 0.3, 0.3, 0.3);
  EXPECT_NEAR(explained->remains, 0.4, 1e-12);
  EXPECT_NEAR(explained->time.value, 0.5, 1e-12);
  EXPECT_LT(explained->time.lo, 0.5);
  EXPECT_GT(explained->time.hi, 0.5);
}

TEST(FunctionTime, FewSamplesGiveNoVerdict) {
  EXPECT_EQ(verdict_of_need(with_samples(5, 10), 0.45), FunctionVerdict::few_samples);
  EXPECT_EQ(verdict_of_need(with_samples(30, 4000), 0.007), FunctionVerdict::few_samples);
  EXPECT_EQ(verdict_of_need(with_samples(0, 4000), 0.3), FunctionVerdict::few_samples);
  EXPECT_FALSE(explained_time(with_samples(0, 0), {}, 0.3, 0.3, 0.3));
}

// Two threads that run half of the time: they execute the function at once, or one after the other.
TEST(FunctionTime, ThreadsThatWaitLeaveItsTimeOpen) {
  Point point = with_samples(4000, 4000);
  EXPECT_EQ(busy_share(point), 1);
  point.user_seconds = point.kernel_seconds = 1;
  EXPECT_EQ(busy_share(point), 0.5);
  const TimeShare all = wall_share(point, {1, 1, 1}), half = wall_share(point, {0.5, 0.5, 0.5});
  EXPECT_EQ(std::tuple(all.lo, all.value, all.hi), std::tuple(0.5, 1, 1));
  EXPECT_EQ(std::tuple(half.lo, half.value, half.hi), std::tuple(0.25, 0.5, 0.5));
  EXPECT_EQ(verdict_of_need(point, 0.49), FunctionVerdict::may_bind);
  EXPECT_EQ(verdict_of_need(point, 0.9), FunctionVerdict::binds);
  point.threads = 4;  // one of them runs a fourth of the time
  const TimeShare tenth = wall_share(point, {0.1, 0.1, 0.1});
  EXPECT_NEAR(tenth.lo, 0.025, 1e-12);
  EXPECT_NEAR(tenth.value, 0.1, 1e-12);
  EXPECT_NEAR(tenth.hi, 0.1, 1e-12);
  point.threads = 2;
  point.user_seconds = point.kernel_seconds = 0;  // not known
  EXPECT_EQ(busy_share(point), 1);
}

TEST(FunctionTime, AFunctionWithoutASymbolIsNamedByItsLibrary) {
  Point point = program(1e9, 20e9, 4e9, 10, {bytes("L2", 9e9), bytes("memory", 4e9)});
  point.functions = {{"", "/lib/libblas.so.3", 1e9, 20e9, 4e9, {bytes("L2", 9e9), bytes("memory", 4e9)}}};
  point.functions.front().samples = 4000;
  point.samples.all = 4000;
  point.samples.seconds = 1e-3;
  const std::string cause = read_point(joe0::roofs(), point).verdict.text();
  EXPECT_NE(cause.find("function (no symbol in libblas.so.3)"), cause.npos) << cause;
}

TEST(FunctionTime, IsWrittenAndRead) {
  Point point = program(1e9, 20e9, 4e9, 1, {bytes("L2", 9e9), bytes("memory", 4e9)});
  point.functions = {{"solve", "app", 1e9, 20e9, 4e9, {bytes("L2", 9e9), bytes("memory", 4e9)}}};
  point.functions.front().samples = 70;
  point.samples = {100, 1e-3, 10, {{"/lib/libc.so.6", 15}, {"", 5}}, {}};
  const Reading reading = read_point(joe0::roofs(), point);
  ASSERT_TRUE(reading.functions.at(0).measured);
  const std::string text = points_to_json({point}, {reading});
  EXPECT_EQ(points_from_json(text, "p"), std::vector{point});
  const auto function = json_from(text).at("points").at(0).at("functions").at(0);
  EXPECT_NEAR(function.at("time").get<double>(), 0.7, 1e-12);
  EXPECT_EQ(function.at("verdict"), name_of(reading.functions[0].measured->verdict));
  point.samples = {};
  point.functions.front().samples = 0;
  point.samples.missing = {NoteCode::sampling_refused, {"Operation not permitted"}};
  EXPECT_EQ(points_from_json(points_to_json({point}, {Reading{}}), "p"), std::vector{point});
  point.samples = {50, 1e-3, 0, {}, {}};
  point.functions.front().samples = 70;
  EXPECT_NE(contradiction(point), "");
  point.samples = {100, 1e-3, -1, {}, {}};
  EXPECT_NE(contradiction(point), "");
}

}  // namespace
}  // namespace gable::model
