// Eigenvalues, and the least squares that rest on them.

#include "model/statistics/regression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

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

// Twelve columns in each row, whose sizes differ a millionfold.
std::vector<Row> rows_of(const Columns& unknowns, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::array<std::size_t, columns> order;
  std::iota(order.begin(), order.end(), 0);
  std::vector<Row> rows(200);
  for (Row& row : rows) {
    std::ranges::shuffle(order, random);
    for (std::size_t i = 0; i < 12; ++i)
      row.add(order[i], uniform(random) * std::pow(10, static_cast<double>(order[i] % 7)));
    row.target = row.of(unknowns);
  }
  return rows;
}

TEST(LeastSquares, RecoverTheUnknownsThatRowsWereMadeWith) {
  std::mt19937_64 random(3);
  Columns unknowns;
  for (std::size_t i = 0; i < columns; ++i) unknowns[i] = 1 + static_cast<double>(i);
  NormalEquations first, second;
  Square normal = {};
  bool is_even = false;
  for (const Row& row : rows_of(unknowns, random)) {
    ((is_even = !is_even) ? first : second).add(row);
    for (std::size_t i = 0; i < row.count; ++i) {
      for (std::size_t j = 0; j < row.count; ++j)
        normal[row.columns[i]][row.columns[j]] += row.values[i] * row.values[j];
    }
  }
  first += second;
  const Solution solution = first.solve();
  EXPECT_EQ(solution.rank, static_cast<int>(columns));
  for (std::size_t i = 0; i < columns; ++i) {
    EXPECT_TRUE(solution.determines(i));
    EXPECT_NEAR(solution.unknowns[i], unknowns[i], 1e-6 * unknowns[i]);
    Columns unit = {};
    unit[i] = 1;
    const Columns column = product(solution.inverse, product(normal, unit));
    for (std::size_t j = 0; j < columns; ++j)
      EXPECT_NEAR(column[j] * solution.scale[j] / solution.scale[i], i == j ? 1 : 0, 1e-6);
  }
}

// Two columns that only ever come as 300 to 1.
TEST(LeastSquares, KnowWhatTheirRowsDetermine) {
  NormalEquations equations;
  const auto row_of = [](double first, double second, double third) {
    Row row;
    row.add(0, first);
    row.add(1, second);
    row.add(2, third);
    return row;
  };
  for (int i = 1; i < 9; ++i) equations.add(row_of(300.0 * i, i, 0.01 * i * i));
  const Solution solution = equations.solve();
  EXPECT_EQ(solution.rank, 2);
  EXPECT_FALSE(solution.determines(std::size_t{0}));
  EXPECT_FALSE(solution.determines(std::size_t{1}));
  EXPECT_TRUE(solution.determines(std::size_t{2}));
  EXPECT_TRUE(solution.determines(row_of(600, 2, 7)));
  EXPECT_TRUE(solution.determines(row_of(0, 0, 1)));
  EXPECT_FALSE(solution.determines(row_of(1, 1, 0)));
  EXPECT_FALSE(solution.determines(row_of(300, -1, 7)));
}

}  // namespace
}  // namespace gable::model
