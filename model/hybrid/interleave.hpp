#pragma once

// Pages interleaved N:M over two memories all the way, as Linux does by weights: what was measured, and which
// weights are best. How memories overlap then depends on the order of the pages, which no θ knows, so nothing
// is told but what was measured at these weights, at this share of loads or between two others
// (docs/model.md).

#include <optional>
#include <string>
#include <vector>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

/// One interleave over the shares of loads at which it was measured, ascending.
struct Interleave {
  struct Mix {
    double load_share;  ///< 0 to 1, of all bytes
    Estimate gb_per_s;
  };
  int slow, fast;  ///< weights; one of them is 0 where a single memory has all pages
  std::vector<Mix> mixes;
};

/// All interleaves of the pair; 1:1 and the memories alone are cells of its grid.
std::vector<Interleave> interleaves_of(const HybridPair& pair);

/// All models of what the pair measured with one mix all the way: at N:M, at 1:1 and in one memory. Equation
/// 5 is meant for such cells; the other laws are not.
HybridFit interleave_fit(const HybridPair& pair);

/// How far the time of a mix is from what the others tell, as relative RMS in percent. Absent without a cell.
struct InterleaveErrors {
  std::optional<double> between_percent;  ///< of the straight line between the two nearest shares of loads
  std::optional<double>
      equation5_percent;  ///< of equation 5 with θ of these cells alone (ten folds held out)
  int between_cells = 0, equation5_cells = 0;
};
InterleaveErrors interleave_errors(const HybridPair& pair);

/// The bandwidth of an interleave at one share of loads.
struct InterleaveRate {
  double gb_per_s = 0;
  std::optional<double> lo, hi;  ///< 95 %; absent where neither repetitions nor errors tell
  double below = 0, above = 0;   ///< the shares of loads that were measured; equal where it is this one
};

/// Between two shares of loads the time of a byte changes in proportion, and its error is half of
/// `between_percent`, which is told over twice the distance. Absent outside the shares that were measured.
std::optional<InterleaveRate> rate_of(const Interleave& interleave, double load_share,
                                      const InterleaveErrors& errors);

/// Weights of a page interleave; one of them is 0 where a single memory is best.
struct Weights {
  int slow = 0, fast = 0;
  std::optional<InterleaveRate> rate;  ///< absent where no such interleave was measured
};

/// Of the interleaves that were measured at or around this share of loads, the one with the highest
/// bandwidth: the smallest weights of those within 0.1 % of the best. Where the pair has none but 1:1, the
/// weights up to 255 at which a model of the grid has its best: a guess, without a bandwidth but where that
/// is of one memory's loads or stores alone. Absent, with the reason, where no model can tell.
std::optional<Weights> best_weights(const HybridPair& pair, double load_share, std::string& reason);

}  // namespace gable::model
