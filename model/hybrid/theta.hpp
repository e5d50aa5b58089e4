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

/// Parameters that minimise the squared relative errors of the cells, and what is needed to judge them.
struct Regression {
  std::vector<bool> used;  ///< by cell: whether it is clear which transfer dominates it
  Solution solution;
  double sigma =
      0;  ///< typical relative distance of a cell from the model; NaN with as many cells as unknowns
  Covariance covariance = {};  ///< as in HybridModel; NaN where sigma is
};

/// A cell in which the dominating transfer is in doubt is left out where the other reading explains its time
/// much better: it lies on that side of the break. Where some parameters stand in such cells alone, all cells
/// are used.
Regression regress(const MixedGrid& grid);

}  // namespace gable::model
