// The time of operations that wait for each other, as a need of a Point.

#include "model/points/needs/stalls/path.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/json/points.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

constexpr double ghz = 2, threads = 7;

Roof latency_of_operation(const char* op, double ns) {
  Roof roof = joe0::bandwidth(0, "core", "core", -1, ns);
  roof.spec.kind = Kind::operation;
  roof.spec.op = Operation(op);
  roof.unit = "ns";
  roof.lo = 0.9 * ns;
  roof.hi = 1.1 * ns;
  roof.clock_ghz = ghz;
  return roof;
}

Roofs measured_roofs() {
  Roofs roofs = with_chases();
  roofs.roofs.push_back(latency_of_operation("chain_add", 2));
  roofs.roofs.push_back(latency_of_operation("chain_fma", 3));
  roofs.roofs.push_back(latency_of_operation("chain_forward", 4));
  return roofs;
}

// It needs a fifth of its second for transfers.
Point chained(const CriticalPath& path) {
  Point point = program(1e9, 20e9, 0, 1, {bytes("memory", 1e9)});
  point.instructions = {50e9, 20e9, 2e9, 0};
  point.instructions.path = path;
  return point;
}

CriticalPath path_of(LatencyClass of, double operations) {
  CriticalPath path;
  path[of] = operations;
  return path;
}

TEST(PathNeed, OperationsTakeTheirLatencyOneAfterTheOther) {
  CriticalPath path = path_of(LatencyClass::add, 1e9);
  path[LatencyClass::fma] = 2e8;
  path[LatencyClass::integer] = 4e8;
  const auto need = path_need(measured_roofs(), chained(path), 0);
  ASSERT_TRUE(need);
  const double cycle = 1 / ghz;
  EXPECT_NEAR(need->share, (1 * 2 + 0.2 * 3 + 0.4 * cycle) / threads, 1e-9);
  EXPECT_NEAR(need->lo, (0.9 * (1 * 2 + 0.2 * 3) + 0.4 * cycle) / threads, 1e-9);
  EXPECT_NEAR(need->hi, (1.1 * (1 * 2 + 0.2 * 3) + 0.4 * cycle) / threads, 1e-9);
  EXPECT_FALSE(need->is_range);
  EXPECT_EQ(need->slowest, LatencyClass::add);
  EXPECT_FALSE(path_need(measured_roofs(), chained({}), 0)) << "without a path";
}

// Nine tenths of the instructions in one of seven threads take nine tenths of the time of all of them.
TEST(PathNeed, AnUnevenProgramTakesTheTimeOfItsBusiestThread) {
  const Roofs roofs = measured_roofs();
  Point point = chained(path_of(LatencyClass::add, 0.5e9));
  const Need even = *path_need(roofs, point, 0);
  point.span = 1.0 / threads;
  EXPECT_EQ(path_need(roofs, point, 0)->share, even.share);
  point.span = 0.9;
  const Need uneven = *path_need(roofs, point, 0);
  EXPECT_NEAR(uneven.share, 0.9 * threads * even.share, 1e-9);
  EXPECT_NEAR(uneven.share, 0.9 * 0.5e9 * 2e-9, 1e-9);
  EXPECT_NE(read_point(roofs, point).verdict.text().find("binds it: 90 % of its time"), std::string::npos)
      << read_point(roofs, point).verdict.text();
  FunctionWork work;
  work.instructions = point.instructions;
  EXPECT_EQ(point_of(point, work).span, 0) << "that of a function is not known";
}

// Cores that rename memory do not wait for the store.
TEST(PathNeed, ALoadOfWhatWasJustStoredMayTakeNoTime) {
  const auto need = path_need(measured_roofs(), chained(path_of(LatencyClass::forward, 1e9)), 0);
  ASSERT_TRUE(need);
  EXPECT_EQ(need->lo, 0);
  EXPECT_NEAR(need->share, 4 / threads, 1e-9);
}

TEST(PathNeed, WithoutMeasuredLatenciesItIsARange) {
  const CriticalPath products = path_of(LatencyClass::mul, 1e9);
  const auto need = path_need(measured_roofs(), chained(products), 0);
  ASSERT_TRUE(need);
  EXPECT_TRUE(need->is_range);
  const LatencyClassRow& row = row_of(LatencyClass::mul);
  EXPECT_NEAR(need->lo, row.least / ghz / threads, 1e-9);
  EXPECT_NEAR(need->hi, row.most / ghz / threads, 1e-9);
  EXPECT_FALSE(path_need(with_chases(), chained(products), 0)) << "without a clock";
  Roofs published = with_chases();
  published.machine_clock_ghz = 4;
  EXPECT_NEAR(path_need(published, chained(products), 0)->hi, row.most / 4 / threads, 1e-9);
}

TEST(PathNeed, LoadsOfThePathComeFromTheFirstCache) {
  Roofs roofs = measured_roofs();
  Roof chase = joe0::bandwidth(0, "L1", "cache", -1, 1.5);
  chase.spec.kind = Kind::latency;
  chase.spec.op = operations::chase;
  chase.unit = "ns";
  roofs.roofs.push_back(chase);
  const auto need = path_need(roofs, chained(path_of(LatencyClass::load, 1e9)), 0);
  ASSERT_TRUE(need);
  EXPECT_NEAR(need->share, 1.5 / threads, 1e-9);
  Point chase_in_l2 = chained(path_of(LatencyClass::load, 1e9));
  chase_in_l2.levels = {bytes("L2", 64 * 6e8, 0, 0, 64 * 6e8), bytes("memory", 1e9)};
  EXPECT_NEAR(path_need(roofs, chase_in_l2, 0)->share, 0.4 * 1.5 / threads, 1e-9)
      << "others have their own need";
}

TEST(PathNeed, AVerdictNamesTheOperationsAndACure) {
  const auto binds = [](LatencyClass of, double operations) {
    return read_point(measured_roofs(), chained(path_of(of, operations))).verdict.text();
  };
  const std::string sums = binds(LatencyClass::add, 3.3e9);
  EXPECT_NE(sums.find("operations that wait for each other binds it: 94 % of its time"), std::string::npos)
      << sums;
  EXPECT_NE(sums.find("3.3 billion of them, mostly additions"), std::string::npos) << sums;
  EXPECT_NE(sums.find("several sums"), std::string::npos) << sums;
  const std::string stored = binds(LatencyClass::forward, 1.7e9);
  EXPECT_NE(stored.find("keep in a register"), std::string::npos) << stored;
}

// More than the time contradicts the figure, and less is possible: cores may rename memory.
TEST(PathNeed, OfMoreThanTheTimeOnlyTheIntervalIsLeft) {
  const Roofs roofs = measured_roofs();
  const Point point = chained(path_of(LatencyClass::forward, 6e9));
  EXPECT_GT(path_need(roofs, point, 0)->share, 3);
  const Reading reading = read_point(roofs, point);
  const std::string cause = reading.verdict.text();
  EXPECT_NE(cause.find("only the latency of operations that wait for each other may bind it, up to 100 %"),
            std::string::npos)
      << cause;
  EXPECT_EQ(cause.find("343 %"), std::string::npos) << cause;
  EXPECT_FALSE(reading.headroom_known);
  EXPECT_LE(reading.reached_percent, 100);
}

// Compilers may change the order of integers anyhow, if that helps.
TEST(PathNeed, OfIntegersTheOrderIsNotTheCure) {
  const auto advice = [](LatencyClass of) {
    Point point = chained(path_of(of, threads * 0.9 * ghz * 1e9));
    return read_point(measured_roofs(), point).verdict.advice;
  };
  EXPECT_EQ(advice(LatencyClass::integer).find("-fassociative-math"), std::string::npos);
  EXPECT_NE(advice(LatencyClass::integer).find("independent inputs"), std::string::npos)
      << advice(LatencyClass::integer);
}

TEST(PathNeed, PointsKeepThePath) {
  const Point point = chained(path_of(LatencyClass::div_dp, 12345));
  const std::vector<Point> back = points_from_json(points_to_json({point}, {Reading()}), "points.json");
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].instructions, point.instructions);
}

}  // namespace
}  // namespace gable::model
