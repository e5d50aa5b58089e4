#pragma once

// The parameters of one law from the mixed cells of a grid.

#include <vector>

#include "model/hybrid/hybrid.hpp"
#include "model/hybrid/rows.hpp"
#include "model/statistics/regression.hpp"

namespace gable::model {

/// The cells in which several transfers with known bandwidths happen, as equations of one law.
struct MixedGrid {
  /// Cells and bandwidths must outlive it.
  MixedGrid(const std::vector<Cell>& all_cells, const PerTransfer<Bandwidth>& all_bandwidths, Law of);

  const std::vector<Cell>& cells;
  const PerTransfer<Bandwidth>& bandwidths;
  Quantities gb_per_s;  ///< of `bandwidths`; 0 where there is none
  Law law;
  std::vector<CellRow> rows;  ///< by cell, of the law
};

/// The parameters that minimize the squared relative errors of the cells, and what is needed to judge them.
struct Regression {
  std::vector<bool> used;  ///< for each cell: whether its dominating transfer is certain
  Solution solution;
  double sigma =
      0;  ///< typical relative distance of a cell from the model; NaN if there are as many unknowns as cells
  Covariance covariance = {};  ///< as in HybridModel; NaN if sigma is NaN
};

/// A cell whose dominating transfer is uncertain is left out if the other assumption explains its time much
/// better. If only such cells contain some of the parameters, all cells are used.
Regression regress(const MixedGrid& grid);

}  // namespace gable::model
