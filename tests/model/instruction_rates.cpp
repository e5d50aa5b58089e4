// Needs of instructions by their number alone: loads into vector registers and iterations of loops.

#include <gtest/gtest.h>

#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

using LimitKind = Limit::Kind;

// Cluster 0 with its clock beside each roof; `narrower` is a roof of L1 with vectors of half the width.
Roofs roofs_with_clock(double narrower) {
  Roofs roofs = joe0::roofs();
  Roof other = joe0::bandwidth(0, "L1", "cache", -1, narrower);
  other.spec.kernel = "load_sse2";
  roofs.roofs.push_back(other);
  for (Roof& roof : roofs.roofs) roof.clock_ghz = 1.7;
  return roofs;
}

Point with_counts(double vector_loads, double iterations) {
  Point point = program(0, 8 * vector_loads, 0, 1, {bytes("memory", 1e6)});
  point.instructions = {10e9, 1e9, 1e9, 1e6};
  point.instructions.vector_loads = vector_loads;
  point.instructions.iterations = iterations;
  return point;
}

// A core loads as many numbers of 8 bytes as vectors: 760.1 GB/s are 23.75e9 vectors of 32 bytes.
TEST(InstructionRates, ScalarLoadsTakeAsLongAsThoseOfVectors) {
  const Roofs roofs = roofs_with_clock(100);
  const Point point = with_counts(0.9 * 760.1e9 / 32, 0);
  const Need need = need_of(needs_of(roofs, point, 0, {}), LimitKind::loads);
  EXPECT_NEAR(need.share, 0.9, 1e-9);
  EXPECT_NEAR(share_of(needs_of(roofs, point, 0, {}), "L1"), 0.9 / 4, 1e-3) << "its bytes are a fourth";
  const Reading reading = read_point(roofs, point);
  EXPECT_EQ(reading.limit.kind, LimitKind::loads) << reading.verdict.text();
}

TEST(InstructionRates, TheWidthWithTheMostLoadsCounts) {
  const Point point = with_counts(1e9, 0);
  const auto share = [&](double narrower) {
    return need_of(needs_of(roofs_with_clock(narrower), point, 0, {}), LimitKind::loads).share;
  };
  EXPECT_NEAR(share(300), 32 / 760.1, 1e-9) << "300 GB/s are 18.75e9 vectors of 16 bytes";
  EXPECT_NEAR(share(500), 16 / 500.0, 1e-9);
}

TEST(InstructionRates, ACoreBeginsOneIterationPerCycle) {
  const Roofs roofs = roofs_with_clock(100);
  Point point = with_counts(0, 0.85 * 7 * 1.7e9);
  const Need need = need_of(needs_of(roofs, point, 0, {}), LimitKind::iterations);
  EXPECT_NEAR(need.share, 0.85, 1e-9);
  EXPECT_EQ(read_point(roofs, point).limit.kind, LimitKind::iterations);
  point.threads = 1;
  EXPECT_NEAR(need_of(needs_of(roofs, point, 0, {}), LimitKind::iterations).share, 7 * 0.85, 1e-9);
}

TEST(InstructionRates, WithoutARateOrACountThereIsNoNeed) {
  const Roofs without_clock = joe0::roofs();
  const Point point = with_counts(1e9, 1e9);
  for (const LimitKind kind : {LimitKind::loads, LimitKind::iterations}) {
    EXPECT_EQ(need_of(needs_of(without_clock, point, 0, {}), kind).hi, 0);
    EXPECT_EQ(need_of(needs_of(roofs_with_clock(100), with_counts(0, 0), 0, {}), kind).hi, 0);
  }
}

}  // namespace
}  // namespace gable::model
