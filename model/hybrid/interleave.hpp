#pragma once

// Pages interleaved N:M over two memories throughout, as in Linux's weighted interleave: the measurements,
// and the best weights. The overlap of the memories then depends on the order of the pages, which θ does not
// describe. So a bandwidth is given only for weights that were measured, at a measured share of loads or
// between two of them (docs/placement/hybrid-model.md).

#include <optional>
#include <string>
#include <vector>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

/// One interleave and the shares of loads at which it was measured, ascending.
struct Interleave {
  struct Mix {
    double load_share;  ///< 0 to 1, of all bytes
    Estimate gb_per_s;
  };
  int slow, fast;  ///< weights; one of them is 0 if all pages are in one memory
  std::vector<Mix> mixes;
};

/// All interleaves of the pair; 1:1 and the memories alone are cells of its grid.
std::vector<Interleave> interleaves_of(const HybridPair& pair);

/// All models of the cells whose mix stays the same throughout: at N:M, at 1:1 and in one memory. Equation 5
/// applies to such cells; the other laws do not.
HybridFit interleave_fit(const HybridPair& pair);

/// The relative RMS error in percent of predicting the time of a mix from the other mixes. Absent without a
/// cell.
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
  std::optional<double> lo, hi;  ///< 95 %; absent if neither repetitions nor errors determine it
  double below = 0,
         above = 0;  ///< the nearest measured shares of loads; both are this share if it was measured
};

/// Between two shares of loads the time per byte is interpolated linearly. Its error is half of
/// `between_percent`, which was found over twice the distance. Absent outside the measured shares.
std::optional<InterleaveRate> rate_of(const Interleave& interleave, double load_share,
                                      const InterleaveErrors& errors);

/// Weights of a page interleave; one of them is 0 if a single memory is best.
struct Weights {
  int slow = 0, fast = 0;
  std::optional<InterleaveRate> rate;  ///< absent if this interleave was not measured
};

/// The interleave with the highest bandwidth among those that were measured at or around this share of loads:
/// the smallest weights within 0.1 % of the best. If the pair has only 1:1, these are the weights up to 255
/// for which a model of the grid predicts the highest bandwidth. That is a guess, so it has no bandwidth,
/// except for loads alone or stores alone in one memory. Absent, with the reason, if no model applies.
std::optional<Weights> best_weights(const HybridPair& pair, double load_share, std::string& reason);

}  // namespace gable::model
