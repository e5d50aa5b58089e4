#pragma once

// The hybrid model while all clusters run. Where a grid was measured so, its model counts. Otherwise the
// model of the cluster alone and what each memory gives all clusters at once are an estimate; a spot check of
// few cells with all clusters confirms or widens it.

#include <optional>
#include <string>

#include "model/hybrid/predict.hpp"

namespace gable::model {

/// A grid of all clusters with fewer mixed cells than there are θ: its model would follow every error.
bool is_spot_check(const HybridPair& pair);

/// The model with other bandwidths, in GB/s and without an interval; 0: not known.
HybridFit with_bandwidths(HybridFit fit, const PerTransfer<double>& gb_per_s);

/// The prediction by θ of another state of the machine. Its interval reaches at least half way to no and to
/// full overlap.
Prediction estimate_everywhere(const HybridFit& fit, const Quantities& bytes);

/// The measured cells of a spot check against the estimate.
struct SpotCheck {
  int cells = 0;                     ///< mixed ones that the estimate predicts
  double shortest = 1, longest = 1;  ///< measured times, in those of the estimate
  bool confirms = true;              ///< every cell is within the interval of its estimate

  std::string text() const;  ///< "5 cells measured with all clusters confirm it"; it: the estimate
};

/// `alone` has the same cluster and memories as `spots`.
SpotCheck spot_check(const HybridPair& alone, const HybridPair& spots);

/// The spot check of this pair of a cluster alone; nothing if there is none, or none of its cells can be
/// compared.
std::optional<SpotCheck> spot_check_of(const Hybrid& hybrid, const HybridPair& alone);

/// Widens the interval of an estimate to the farthest cell of a spot check that does not confirm it.
void widen_to(Prediction& prediction, const SpotCheck& check);

/// The fitted grid of the cluster alone in the memories of `pair`, of any pages; nullptr: none.
const HybridPair* alone_of(const Hybrid& hybrid, const HybridPair& pair);

/// The grid of all clusters that was fitted for the cluster and memories of `pair`, of any pages; nullptr:
/// none.
const HybridPair* fitted_everywhere(const Hybrid& hybrid, const HybridPair& pair);

}  // namespace gable::model
