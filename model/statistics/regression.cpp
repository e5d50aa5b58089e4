#include "model/statistics/regression.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace gable::model {
namespace {

// Eigenvalues of the scaled normal matrix below this share of the largest belong to directions that rounding
// (to pages, of doubles) alone tells apart: columns that are proportional to 1 in 10 000.
constexpr double least_eigenvalue = 1e-8;

// Squared share of a column or row that may lie in undetermined directions: rounding.
constexpr double rounding = 1e-6;

Eigen::Index at(std::size_t column) {
  return static_cast<Eigen::Index>(column);
}

}  // namespace

double Row::of(const Columns& unknowns) const {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] * unknowns[at(columns[i])];
  return sum;
}

bool Solution::determines(std::size_t column) const {
  return free(at(column), at(column)) < rounding;
}

bool Solution::determines(const Row& row) const {
  double size = 0, undetermined = 0;  // squared, of the scaled row and of its part in the free directions
  for (std::size_t i = 0; i < row.count; ++i) {
    const std::size_t column = row.columns[i];
    const double scaled = row.values[i] / scale[at(column)];
    size += scaled * scaled;
    if (determines(column)) continue;  // in no free direction
    for (std::size_t j = 0; j < row.count; ++j) {
      const Eigen::Index other = at(row.columns[j]);
      undetermined += scaled * free(at(column), other) * row.values[j] / scale[other];
    }
  }
  return undetermined <= rounding * size;
}

void NormalEquations::add(const Row& row) {
  for (std::size_t i = 0; i < row.count; ++i) {
    const Eigen::Index column = at(row.columns[i]);
    const double value = row.values[i];
    right_[column] += value * row.target;
    for (std::size_t j = 0; j < row.count; ++j) {
      const Eigen::Index other = at(row.columns[j]);
      if (other <= column) matrix_(column, other) += value * row.values[j];
    }
  }
  ++rows_;
}

NormalEquations& NormalEquations::operator+=(const NormalEquations& other) {
  matrix_ += other.matrix_;
  right_ += other.right_;
  rows_ += other.rows_;
  return *this;
}

Solution NormalEquations::solve() const {
  Solution solution;
  for (Eigen::Index i = 0; i < matrix_.rows(); ++i) {
    if (matrix_(i, i) > 0) solution.scale[i] = std::sqrt(matrix_(i, i));
  }
  const Columns shrink = solution.scale.cwiseInverse();
  const Square whole = matrix_.selfadjointView<Eigen::Lower>();
  const Eigen::SelfAdjointEigenSolver<Square> eigen(shrink.asDiagonal() * whole * shrink.asDiagonal());
  const double least = least_eigenvalue * eigen.eigenvalues().maxCoeff();
  solution.free.setZero();
  for (Eigen::Index i = 0; i < matrix_.rows(); ++i) {
    const Columns direction = eigen.eigenvectors().col(i);
    const double value = eigen.eigenvalues()[i];
    if (value <= least || value <= 0) {
      solution.free += direction * direction.transpose();
      continue;
    }
    ++solution.rank;
    const Columns scaled = shrink.cwiseProduct(direction);
    solution.inverse += scaled * scaled.transpose() / value;
  }
  solution.unknowns = solution.inverse * right_;
  return solution;
}

}  // namespace gable::model
