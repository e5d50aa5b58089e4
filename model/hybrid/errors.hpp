#pragma once

// How far a model is from the cells it was fitted to, and from cells it has not seen.

#include <vector>

#include "model/hybrid/theta.hpp"

namespace gable::model {

/// (y-ŷ)/ŷ by mixed cell, y the measured and ŷ the model's bandwidth; NaN where the model does not say.
struct CellErrors {
  std::vector<double> fitted;
  std::vector<double> held_out;  ///< by a model that has not seen the cell
  std::vector<double> between;   ///< by a model that has not seen its share of loads, between two others
};

/// Cells are held out whole, ten parts in turn; which cell is in which part depends on nothing but their
/// order. Shares of loads are told apart to 0.1 %; where there are more than 64, `between` is empty.
CellErrors cell_errors(const MixedGrid& grid, const Regression& regression);

/// Of relative errors, NaN for none: their number and 100 times the root of their mean square.
struct Rms {
  int cells = 0;
  double percent = 0;
};
Rms rms_of(const std::vector<double>& errors);

}  // namespace gable::model
