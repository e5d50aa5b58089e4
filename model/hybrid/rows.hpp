#pragma once

// A cell of a grid as one equation of the regression, relative to its measured time.

#include "model/hybrid/hybrid.hpp"
#include "model/statistics/regression.hpp"

namespace gable::model {

/// How far (ln) the bandwidths may be off: the standard error of their logarithms.
using Spread = PerTransfer<double>;

/// Sum over the phases of t_x + θ_x^y t_y + ... and of the law's terms, x dominating, divided by the measured
/// seconds.
struct CellRow {
  Row row;                              ///< what has parameters; its target is 1 less the dominating times
  double fixed = 0;                     ///< the dominating times
  PerTransfer<double> dominating = {};  ///< `fixed` by transfer
  /// ln: how far the longest transfer exceeds the next in the phase where that is least, but for phases that
  /// hardly matter to the cell's time.
  double closest = 0;
};
CellRow cell_row(const Cell& cell, const Quantities& gb_per_s, Law law);

/// Whether it is beyond doubt which transfer dominates every phase of the cell that matters to its time.
/// `row` is that of the cell.
bool is_clear(const Cell& cell, const CellRow& row, const Quantities& gb_per_s, const Spread& spread,
              Law law);

/// By term, of coefficient 1: how much the row's sum grows with the logarithm of each transfer's time alone.
PerTerm<Quantities> term_slopes(const Cell& cell, const Quantities& gb_per_s, Law law);

/// The cell with the other transfer dominating wherever that is in doubt.
CellRow other_reading(const Cell& cell, const Quantities& gb_per_s, const Spread& spread, Law law);

}  // namespace gable::model
