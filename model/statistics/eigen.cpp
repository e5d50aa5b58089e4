#include "model/statistics/eigen.hpp"

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

}  // namespace gable::model
