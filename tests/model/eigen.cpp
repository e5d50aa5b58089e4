#include "model/statistics/eigen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace gable::model {
namespace {

constexpr double rounding = 1e-13;

// The sum of value times vector times its transpose over orthonormal vectors, which Gram and Schmidt's method
// makes from random ones.
Square matrix_with(const Columns& values, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::array<Columns, columns> basis;
  for (std::size_t k = 0; k < columns; ++k) {
    for (double& component : basis[k]) component = normal(random);
    for (int twice = 0; twice < 2; ++twice) {
      for (std::size_t other = 0; other < k; ++other) {
        double along = 0;
        for (std::size_t i = 0; i < columns; ++i) along += basis[k][i] * basis[other][i];
        for (std::size_t i = 0; i < columns; ++i) basis[k][i] -= along * basis[other][i];
      }
    }
    double length = 0;
    for (const double component : basis[k]) length += component * component;
    for (double& component : basis[k]) component /= std::sqrt(length);
  }
  Square matrix = {};
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::size_t i = 0; i < columns; ++i) {
      for (std::size_t j = 0; j <= i; ++j) matrix[i][j] += values[k] * basis[k][i] * basis[k][j];
    }
  }
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < i; ++j) matrix[j][i] = matrix[i][j];
  }
  return matrix;
}

// Every vector has length 1, is orthogonal to the others, and is only stretched by the matrix.
void expect_eigenvectors(const Square& matrix, const EigenSystem& eigen) {
  for (std::size_t k = 0; k < columns; ++k) {
    Columns vector;
    for (std::size_t i = 0; i < columns; ++i) vector[i] = eigen.vectors[i][k];
    const Columns image = product(matrix, vector);
    for (std::size_t i = 0; i < columns; ++i)
      EXPECT_NEAR(image[i], eigen.values[k] * vector[i], rounding * 20);
    for (std::size_t other = 0; other <= k; ++other) {
      double along = 0;
      for (std::size_t i = 0; i < columns; ++i) along += vector[i] * eigen.vectors[i][other];
      EXPECT_NEAR(along, other == k ? 1 : 0, rounding);
    }
  }
}

void expect_recovered(Columns values, std::mt19937_64& random) {
  const Square matrix = matrix_with(values, random);
  EigenSystem eigen = eigen_of(matrix);
  expect_eigenvectors(matrix, eigen);
  std::ranges::sort(values);
  std::ranges::sort(eigen.values);
  for (std::size_t k = 0; k < columns; ++k) EXPECT_NEAR(eigen.values[k], values[k], rounding * 20);
}

TEST(Eigen, RecoversTheEigenvaluesThatAMatrixWasMadeWith) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-10, 10);
  for (int draw = 0; draw < 20; ++draw) {
    Columns values;
    for (double& value : values) value = uniform(random);
    expect_recovered(values, random);
  }
}

TEST(Eigen, RecoversEqualVanishingAndTinyEigenvalues) {
  std::mt19937_64 random(2);
  Columns values = {};
  expect_recovered(values, random);
  values.fill(3);
  expect_recovered(values, random);
  for (std::size_t k = 0; k < columns; ++k) values[k] = std::pow(10, -static_cast<double>(k));
  expect_recovered(values, random);
  for (std::size_t k = 0; k < columns; ++k) values[k] = k % 2 == 0 ? 0 : 1;
  expect_recovered(values, random);
}

}  // namespace
}  // namespace gable::model
