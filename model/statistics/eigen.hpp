#pragma once

// Eigenvalues of a small symmetric matrix.

#include "model/statistics/regression.hpp"

namespace gable::model {

struct EigenSystem {
  Columns values = {};  ///< in no particular order
  Square vectors = {};  ///< by column: vectors[i][k] is component i of the unit vector of values[k]
};

/// Uses Jacobi's cyclic method (Golub and Van Loan, Matrix Computations, section 8.5), which is as exact as
/// rounding allows. A library would take longer to compile than the rest of its caller.
EigenSystem eigen_of(Square symmetric);

}  // namespace gable::model
