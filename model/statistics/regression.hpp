#pragma once

// Linear least squares over few columns and many sparse rows, through the normal equations, with the
// directions that the rows do not determine.

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gable::model {

inline constexpr std::size_t columns = 19;
using Columns = Eigen::Matrix<double, columns, 1>;
using Square = Eigen::Matrix<double, columns, columns>;

/// One equation: the sum of `values` times the unknowns of their `columns` should be `target`. Small: there
/// are millions of them.
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

/// The unknowns that the equations determine, and how well.
struct Solution {
  Columns unknowns = Columns::Zero();  ///< of all solutions the shortest, with the columns scaled to length 1
  Square inverse = Square::Zero();     ///< of the normal matrix, 0 in the undetermined directions
  Square free = Square::Identity();    ///< projects onto the undetermined directions, in scaled columns
  Columns scale = Columns::Ones();
  int rank = 0;

  bool determines(std::size_t column) const;
  bool determines(const Row& row) const;  ///< whether the left side of this equation is known
};

class NormalEquations {
 public:
  void add(const Row& row);
  NormalEquations& operator+=(const NormalEquations& other);
  int rows() const { return rows_; }
  Solution solve() const;

 private:
  Square matrix_ = Square::Zero();  // its lower triangle
  Columns right_ = Columns::Zero();
  int rows_ = 0;
};

}  // namespace gable::model
