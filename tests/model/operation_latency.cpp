// The latency of an operation: what the chains with known latencies and clocks give.

#include "model/roofs/operation_latency.hpp"

#include <gtest/gtest.h>

#include "tests/model/joe0.hpp"

namespace gable::model {
namespace {

// A chain of which each link takes so many cycles.
Roof chain(LatencyClass of, double cycles, double clock_ghz) {
  Roof roof = joe0::bandwidth(0, "core", "core", -1, cycles / clock_ghz);
  roof.spec.kind = Kind::operation;
  roof.spec.op = Operation(row_of(of).operation);
  roof.unit = "ns";
  roof.lo = 0.99 * roof.value;
  roof.hi = 1.02 * roof.value;
  roof.n = of == LatencyClass::mul ? 20 : 30;
  roof.clock_ghz = clock_ghz;
  return roof;
}

TEST(OperationLatency, IsThatOfTheChain) {
  std::vector<Roof> roofs;
  for (const LatencyClassRow& row : latency_class_rows) {
    if (!row.operation.empty() && !contains_multiplication(row.value))
      roofs.push_back(chain(row.value, 3 + static_cast<double>(roofs.size()), 2.5));
  }
  double cycles = 3;
  for (const LatencyClassRow& row : latency_class_rows) {
    const auto latency = operation_latency(roofs, 0, row.value);
    const bool measured = !row.operation.empty() && !contains_multiplication(row.value);
    ASSERT_EQ(latency.has_value(), measured) << row.name;
    EXPECT_FALSE(operation_latency(roofs, 1, row.value)) << "another cluster";
    if (!measured) continue;
    EXPECT_NEAR(latency->value, cycles / 2.5, 1e-9) << row.name;
    EXPECT_NEAR(latency->lo, 0.99 * cycles / 2.5, 1e-9) << row.name;
    EXPECT_NEAR(latency->hi, 1.02 * cycles / 2.5, 1e-9) << row.name;
    ++cycles;
  }
}

// 18 cycles and 4 of the multiplication, which was measured at another clock.
TEST(OperationLatency, OfASquareRootIsWithoutTheMultiplication) {
  std::vector<Roof> roofs = {chain(LatencyClass::sqrt_dp, 22, 2), chain(LatencyClass::mul, 4, 4)};
  const auto root = operation_latency(roofs, 0, LatencyClass::sqrt_dp);
  ASSERT_TRUE(root);
  EXPECT_NEAR(root->value, 9, 1e-9);
  EXPECT_NEAR(root->lo, 0.99 * 11 - 1.02 * 2, 1e-9);
  EXPECT_NEAR(root->hi, 1.02 * 11 - 0.99 * 2, 1e-9);
  EXPECT_EQ(root->clock_ghz, 2);
  EXPECT_EQ(root->n, 20);
  roofs[1].clock_ghz = 0;
  EXPECT_NEAR(operation_latency(roofs, 0, LatencyClass::sqrt_dp)->value, 10, 1e-9) << "in ns";
  roofs[1].value = 12;
  EXPECT_FALSE(operation_latency(roofs, 0, LatencyClass::sqrt_dp)) << "no time is left";
  roofs[1].status = Status::skipped;
  EXPECT_FALSE(operation_latency(roofs, 0, LatencyClass::sqrt_dp));
  EXPECT_FALSE(operation_latency(roofs, 0, LatencyClass::mul));
}

TEST(OperationLatency, OfEachClassIsMeasuredByItsOperation) {
  for (const LatencyClassRow& row : latency_class_rows) {
    if (!row.operation.empty()) {
      EXPECT_EQ(measured_by(row.operation), row.value);
    }
  }
  EXPECT_FALSE(measured_by(""));
  EXPECT_FALSE(measured_by("chase"));
}

}  // namespace
}  // namespace gable::model
