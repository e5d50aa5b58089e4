#include "model/statistics/regression.hpp"

#include <algorithm>
#include <cmath>

#include "model/statistics/eigen.hpp"

namespace gable::model {
namespace {

// Eigenvalues of the scaled normal matrix below this share of the largest belong to directions that differ
// only by rounding (to pages, of doubles): columns that are proportional to 1 in 10 000.
constexpr double least_eigenvalue = 1e-8;

// Squared share of a column or row that may lie in undetermined directions: rounding.
constexpr double rounding = 1e-6;

// Adds the vector times its transpose, divided by `divisor`.
void add_outer(Square& sum, const Columns& vector, double divisor) {
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) sum[i][j] += vector[i] * vector[j] / divisor;
  }
}

}  // namespace

Columns product(const Square& matrix, const Columns& vector) {
  Columns sums = {};
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) sums[i] += matrix[i][j] * vector[j];
  }
  return sums;
}

double Row::of(const Columns& unknowns) const {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] * unknowns[columns[i]];
  return sum;
}

bool Solution::determines(std::size_t column) const {
  return free[column][column] < rounding;
}

bool Solution::determines(const Row& row) const {
  double size = 0, undetermined = 0;  // squared, of the scaled row and of its part in the free directions
  for (std::size_t i = 0; i < row.count; ++i) {
    const std::size_t column = row.columns[i];
    const double scaled = row.values[i] / scale[column];
    size += scaled * scaled;
    if (determines(column)) continue;  // in no free direction
    for (std::size_t j = 0; j < row.count; ++j) {
      const std::size_t other = row.columns[j];
      undetermined += scaled * free[column][other] * row.values[j] / scale[other];
    }
  }
  return undetermined <= rounding * size;
}

void NormalEquations::add(const Row& row) {
  for (std::size_t i = 0; i < row.count; ++i) {
    const std::size_t column = row.columns[i];
    const double value = row.values[i];
    right_[column] += value * row.target;
    for (std::size_t j = 0; j < row.count; ++j) {
      const std::size_t other = row.columns[j];
      if (other <= column) matrix_[column][other] += value * row.values[j];
    }
  }
}

NormalEquations& NormalEquations::operator+=(const NormalEquations& other) {
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) matrix_[i][j] += other.matrix_[i][j];
    right_[i] += other.right_[i];
  }
  return *this;
}

Solution NormalEquations::solve() const {
  Solution solution;
  solution.free = {};
  for (std::size_t i = 0; i < columns; ++i)
    solution.scale[i] = matrix_[i][i] > 0 ? std::sqrt(matrix_[i][i]) : 1;
  Square scaled;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      scaled[i][j] = scaled[j][i] = matrix_[i][j] / solution.scale[i] / solution.scale[j];
  }
  const EigenSystem eigen = eigen_of(scaled);
  const double least = least_eigenvalue * *std::ranges::max_element(eigen.values);
  for (std::size_t k = 0; k < columns; ++k) {
    const double value = eigen.values[k];
    Columns direction;
    for (std::size_t i = 0; i < columns; ++i) direction[i] = eigen.vectors[i][k];
    if (value <= least || value <= 0) {
      add_outer(solution.free, direction, 1);
      continue;
    }
    ++solution.rank;
    for (std::size_t i = 0; i < columns; ++i) direction[i] /= solution.scale[i];
    add_outer(solution.inverse, direction, value);
  }
  solution.unknowns = product(solution.inverse, right_);
  return solution;
}

}  // namespace gable::model
