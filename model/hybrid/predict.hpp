#pragma once

// The prediction of a fitted hybrid model for a mix of transfers: the shortest time, its interval, which
// transfers overlap, and the best distribution of pages.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

/// One phase of a prediction, in which the mix stays the same.
struct PhaseBound {
  Quantities bytes = {};
  Quantities alone = {};  ///< seconds of each transfer by itself, t = q/b
  Transfer dominating = Transfer::ls;
  Quantities exposed = {};     ///< not hidden: all of the dominating transfer, θ of the others
  PerTerm<double> added = {};  ///< seconds of the law's terms

  double seconds() const;  ///< of the phase: all of `exposed` and `added`
};

struct Prediction {
  Law law = Law::equation5;
  double bytes = 0;
  std::optional<double> seconds;       ///< absent if the model cannot predict it
  std::string reason;                  ///< why it is absent
  std::optional<double> lo, hi;        ///< seconds, 95 %; absent if the model's error is unknown
  std::optional<double> t_min, t_max;  ///< equations 3 and 4; absent without the bandwidths
  std::vector<PhaseBound> phases;      ///< empty without `seconds`

  std::optional<double> gb_per_s() const;
};

/// The distribution of the pages of both buffers over the two memories.
enum class Layout {
  halves,    ///< alternating while both last, the rest in one: as in the grid (figure 15)
  weighted,  ///< N in one, M in the other, repeated: the same mix throughout
};

/// The time of a mix by one of the models. The interval contains a single further measurement in 95 % of all
/// cases. It is computed from the covariance of parameters and bandwidths and from the held-out error, which
/// is the distance of cells from a model fitted without them. If the bandwidths do not determine which
/// transfer dominates a phase, the interval covers both possibilities. Bytes must be 0 or more and not all 0.
Prediction predict(const HybridFit& fit, Law law, const Quantities& bytes, Layout layout = Layout::halves);

/// Predicts by the best model; if that one cannot predict the time, by the best of those that can
/// (Errors::unseen_percent). Of models with unknown errors the simplest is used.
Prediction predict(const HybridFit& fit, const Quantities& bytes, Layout layout = Layout::halves);

/// Smaller weights are preferred if their bandwidth is at least this share of the best.
inline constexpr double as_good_as_best = 0.999;

/// The weights (slow, fast) of a page interleave for which the model predicts the highest bandwidth at this
/// share of loads (0 to 1) in all bytes. They are at most 255, which is the kernel's limit; one of them is 0
/// if a single memory is best. Of all weights within 0.1 % of the best, the smallest are returned. One model
/// judges all of them. Absent, with the reason, if no model can predict it. The model does not know the
/// bandwidth of such an interleave (docs/placement/hybrid-model.md).
std::optional<std::pair<int, int>> model_weights(const HybridFit& fit, double load_share,
                                                 std::string& reason);

}  // namespace gable::model
