#include "model/statistics/regression.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gable::model {

namespace {

// The rotation by an angle of at most 45 degrees that makes the element in row p, column q vanish: its cosine
// and sine.
std::pair<double, double> rotation(const Square& matrix, std::size_t p, std::size_t q) {
  const double half = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
  const double tangent = std::copysign(1 / (std::abs(half) + std::hypot(1, half)), half);
  const double cosine = 1 / std::hypot(1, tangent);
  return {cosine, tangent * cosine};
}

void rotate(double& first, double& second, double cosine, double sine) {
  const double old = first;
  first = cosine * old - sine * second;
  second = sine * old + cosine * second;
}

// Whether the elements beside the diagonal are rounding errors.
bool is_diagonal(const Square& matrix) {
  double inside = 0, beside = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) (i == j ? inside : beside) += matrix[i][j] * matrix[i][j];
  }
  return beside <= 1e-30 * inside;
}

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

EigenSystem eigen_of(Square matrix) {
  constexpr int most_sweeps = 50;  // about eight are needed
  EigenSystem eigen{{}, diagonal(1)};
  for (int sweep = 0; sweep < most_sweeps && !is_diagonal(matrix); ++sweep) {
    for (std::size_t p = 0; p < columns; ++p) {
      for (std::size_t q = p + 1; q < columns; ++q) {
        if (matrix[p][q] == 0) continue;
        const auto [cosine, sine] = rotation(matrix, p, q);
        for (std::size_t i = 0; i < columns; ++i) rotate(matrix[i][p], matrix[i][q], cosine, sine);
        for (std::size_t i = 0; i < columns; ++i) rotate(matrix[p][i], matrix[q][i], cosine, sine);
        for (std::size_t i = 0; i < columns; ++i)
          rotate(eigen.vectors[i][p], eigen.vectors[i][q], cosine, sine);
      }
    }
  }
  for (std::size_t i = 0; i < columns; ++i) eigen.values[i] = matrix[i][i];
  return eigen;
}

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
