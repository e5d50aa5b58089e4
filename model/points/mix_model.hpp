#pragma once

// The fitted hybrid models of a machine as the roofs of applications (LARM paper, section 6.2).

#include "model/hybrid/hybrid.hpp"
#include "model/points/limits/limits.hpp"

namespace gable::model {

/// Gives the bandwidth of a cluster that takes its bytes from two memories for which a pair was fitted, with
/// the 95 % interval of a single measurement if it is known. If a pair was fitted several times, the fit
/// whose number of threads is nearest to the Point's counts (the largest if the Point's is unknown), and
/// among page sizes the faster one, as for other roofs. While all clusters run, θ of the cluster alone and
/// the bandwidths of all give an estimate; its interval reaches at least half way to no and to full overlap.
MixModel mix_model(Hybrid hybrid);

}  // namespace gable::model
