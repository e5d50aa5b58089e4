// The affinity matrix on literal values.

#include "kmaf/engine/affinity_matrix.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gable::kmaf {
namespace {

TEST(AffinityMatrix, IsSymmetricAndOffDiagonal) {
  AffinityMatrix matrix(3);
  matrix.add(0, 2);
  matrix.add(2, 0, 4);
  matrix.add(1, 1, 9);
  EXPECT_EQ(matrix(0, 2), 5u);
  EXPECT_EQ(matrix(2, 0), 5u);
  EXPECT_EQ(matrix(1, 1), 0u);
}

TEST(AffinityMatrix, AgesByAShiftAndASubtraction) {
  const std::uint32_t old[] = {0, 1, 3, 4, 5, 100, 4000000000u};
  const std::uint32_t aged[] = {0, 1, 3, 3, 4, 75, 3000000000u};
  for (std::size_t i = 0; i < std::size(old); ++i) {
    AffinityMatrix matrix(2);
    matrix.add(0, 1, old[i]);
    matrix.age();
    EXPECT_EQ(matrix(0, 1), aged[i]);
    EXPECT_EQ(matrix(1, 0), aged[i]);
  }
}

TEST(AffinityMatrix, Saturates) {
  AffinityMatrix matrix(2);
  matrix.add(0, 1, 4000000000u);
  matrix.add(0, 1, 4000000000u);
  EXPECT_EQ(matrix(1, 0), std::numeric_limits<std::uint32_t>::max());
}

TEST(AffinityMatrix, GrowsAndForgets) {
  AffinityMatrix matrix(2);
  matrix.add(0, 1, 7);
  matrix.grow(4);
  matrix.add(3, 1, 2);
  EXPECT_EQ(matrix(0, 1), 7u);
  EXPECT_EQ(matrix(1, 3), 2u);
  matrix.forget(1);
  EXPECT_TRUE(matrix.empty());
}

TEST(AffinityMatrix, DifferenceToAnEarlierState) {
  AffinityMatrix before(2), now(3);
  before.add(0, 1, 5);
  now.add(0, 1, 8);
  now.add(2, 1, 4);
  const AffinityMatrix fresh = now.since(before);
  EXPECT_EQ(fresh(0, 1), 3u);
  EXPECT_EQ(fresh(1, 2), 4u);
  EXPECT_EQ(before.since(before).sum(), 0);
  EXPECT_EQ(now.sum(), 24);
}

// Equation 9; the paper's example is 16 KiB for 64 threads.
TEST(AffinityMatrix, Equation9) {
  EXPECT_EQ(AffinityMatrix(64).bytes(), 16384u);
  EXPECT_EQ(AffinityMatrix(5).bytes(), 100u);
}

}  // namespace
}  // namespace gable::kmaf
