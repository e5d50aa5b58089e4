#pragma once

// What a fitted hybrid model says of a mix of transfers: how long it takes at best, how sure that is, and
// what overlaps what; and how pages are best shared out.

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
  Quantities exposed = {};     ///< what of `alone` is not hidden: all of the dominating, θ of the others
  PerTerm<double> added = {};  ///< seconds of the law's terms

  double seconds() const;  ///< of the phase: all of `exposed` and `added`
};

struct Prediction {
  Law law = Law::equation5;
  double bytes = 0;
  std::optional<double> seconds;       ///< absent where the model cannot tell
  std::string reason;                  ///< why not
  std::optional<double> lo, hi;        ///< seconds, 95 %; absent where the model's error is not known
  std::optional<double> t_min, t_max;  ///< equations 3 and 4; absent without the bandwidths
  std::vector<PhaseBound> phases;      ///< empty without `seconds`

  std::optional<double> gb_per_s() const;
};

/// How the pages of both buffers are shared out over the two memories.
enum class Layout {
  halves,    ///< in turn while both last, the rest in one: as the grid does (figure 15)
  weighted,  ///< N in one, M in the other and so on: the same mix all the way
};

/// The time of a mix by one of the models. The interval holds a single further measurement in 95 % of all
/// cases: it is made of the covariance of parameters and bandwidths and of the held-out error, which is how
/// far cells lie from a model that has not seen them. Where the bandwidths leave in doubt which transfer
/// dominates a phase, the interval reaches over what follows from either. Bytes must be 0 or more and not all
/// 0.
Prediction predict(const HybridFit& fit, Law law, const Quantities& bytes, Layout layout = Layout::halves);

/// By the best model; where that one cannot tell, by the best of those that can (Errors::unseen_percent).
/// Of models whose error is not known the simplest.
Prediction predict(const HybridFit& fit, const Quantities& bytes, Layout layout = Layout::halves);

/// Of the best bandwidth: from here on smaller weights are preferred.
inline constexpr double as_good_as_best = 0.999;

/// The weights (slow, fast) of a page interleave, up to 255 as the kernel takes them, one of them 0 where a
/// single memory is best, at which the model has its highest bandwidth for this share of loads (0 to 1) in
/// all bytes: the smallest of those within 0.1 % of it. One model judges all of them. Absent, with the
/// reason, where none can tell. How fast such an interleave is the model does not know (docs/model.md).
std::optional<std::pair<int, int>> model_weights(const HybridFit& fit, double load_share,
                                                 std::string& reason);

}  // namespace gable::model
