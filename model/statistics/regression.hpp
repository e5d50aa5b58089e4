#pragma once

// Linear least squares with few columns and many sparse rows, by the normal equations. It also finds the
// directions that the rows do not determine.

#include <array>
#include <cstddef>
#include <cstdint>

namespace gable::model {

inline constexpr std::size_t columns = 19;
using Columns = std::array<double, columns>;
using Square = std::array<Columns, columns>;  ///< by row

struct EigenSystem {
  Columns values = {};  ///< in no particular order
  Square vectors = {};  ///< by column: vectors[i][k] is component i of the unit vector of values[k]
};

/// Uses Jacobi's cyclic method (Golub and Van Loan, Matrix Computations, section 8.5), which is as exact as
/// rounding allows. A library would take longer to compile than the rest of its caller.
EigenSystem eigen_of(Square symmetric);

Columns product(const Square& matrix, const Columns& vector);

/// The square matrix that has `value` on its diagonal.
constexpr Square diagonal(double value) {
  Square matrix = {};
  for (std::size_t i = 0; i < columns; ++i) matrix[i][i] = value;
  return matrix;
}

/// One equation: the sum of `values` times the unknowns of their `columns` should be `target`. It is kept
/// small because there are millions of them.
struct Row {
  std::array<double, 12> values;  ///< the first `count` of them
  std::array<std::uint8_t, 12> columns;
  std::uint8_t count = 0;
  double target = 0;

  void add(std::size_t column, double value) {
    values[count] = value;
    columns[count++] = static_cast<std::uint8_t>(column);
  }
  double of(const Columns& unknowns) const;
};

/// The solution as far as the equations determine it, and its uncertainty.
struct Solution {
  Columns unknowns = {};      ///< the shortest of all solutions, with the columns scaled to length 1
  Square inverse = {};        ///< of the normal matrix, 0 in the undetermined directions
  Square free = diagonal(1);  ///< projects onto the undetermined directions, in scaled columns
  Columns scale = {};         ///< lengths of the columns; 1 where a column is 0
  int rank = 0;

  bool determines(std::size_t column) const;
  bool determines(const Row& row) const;  ///< whether the left side of this equation is determined
};

class NormalEquations {
 public:
  void add(const Row& row);
  NormalEquations& operator+=(const NormalEquations& other);
  Solution solve() const;

 private:
  Square matrix_ = {};  // its lower triangle
  Columns right_ = {};
};

}  // namespace gable::model
