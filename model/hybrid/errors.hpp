#pragma once

// The distance of a model from the cells that it was fitted to, and from cells that were held out of the fit.

#include <vector>

#include "model/hybrid/theta.hpp"

namespace gable::model {

/// (y-ŷ)/ŷ for each mixed cell; y is the measured and ŷ the model's bandwidth. NaN where the model gives no
/// bandwidth.
struct CellErrors {
  std::vector<double> fitted;
  std::vector<double> held_out;  ///< by a model fitted without the cell
  std::vector<double>
      between;  ///< by a model fitted without the cell's share of loads, if it lies between two others
};

/// Whole cells are held out, in ten parts in turn. The part of a cell depends only on the order of the cells.
/// Shares of loads that differ by less than 0.1 % count as equal. With more than 64 shares, `between` is
/// empty.
CellErrors cell_errors(const MixedGrid& grid, const Regression& regression);

/// The number of relative errors that are not NaN, and 100 times the root of their mean square.
struct Rms {
  int cells = 0;
  double percent = 0;
};
Rms rms_of(const std::vector<double>& errors);

}  // namespace gable::model
