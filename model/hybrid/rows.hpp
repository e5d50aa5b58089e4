#pragma once

// A cell of a grid as one equation of the regression, relative to its measured time.

#include "model/hybrid/hybrid.hpp"
#include "model/statistics/regression.hpp"

namespace gable::model {

/// The uncertainty of the bandwidths: the standard error of their logarithms.
using Spread = PerTransfer<double>;

/// The sum over the phases of t_x + θ_x^y t_y + ... and of the law's terms, where x dominates, divided by the
/// measured seconds.
struct CellRow {
  Row row;           ///< the part with parameters; its target is 1 minus the dominating times
  double fixed = 0;  ///< the dominating times
  PerTransfer<double> dominating = {};  ///< `fixed` by transfer
  /// The smallest ln of the ratio between the longest transfer and the next, over the phases that matter to
  /// the cell's time.
  double closest = 0;
};
/// With `doubt` the other transfer dominates in each phase where that is uncertain.
CellRow cell_row(const Cell& cell, const Quantities& gb_per_s, Law law, const Spread* doubt = nullptr);

/// Whether the dominating transfer is certain in every phase that matters to the cell's time. `row` is the
/// cell's row.
bool is_clear(const Cell& cell, const CellRow& row, const Quantities& gb_per_s, const Spread& spread,
              Law law);

/// The growth of the row's sum with the logarithm of each transfer's time alone, for each term with
/// coefficient 1.
PerTerm<Quantities> term_slopes(const Cell& cell, const Quantities& gb_per_s, Law law);

}  // namespace gable::model
