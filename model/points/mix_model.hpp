#pragma once

// The fitted hybrid models of a machine as the roofs of applications (LARM paper, section 6.2).

#include "model/hybrid/hybrid.hpp"
#include "model/points/limits/limits.hpp"

namespace gable::model {

/// Gives the bandwidth of a cluster that takes its bytes from two memories for which a pair was fitted, with
/// the 95 % interval of a single measurement if it is known. If a pair was fitted several times, the fit
/// whose number of threads is nearest to the Point's counts (the largest if the Point's is unknown), and
/// among page sizes the faster one, as for other roofs. While all clusters run, each with its own
/// memories, the grid of all clusters counts. Without such a grid, or with the data elsewhere, θ and the
/// bandwidths of all clusters give an estimate (model/hybrid/everywhere.hpp).
MixModel mix_model(Hybrid hybrid);

}  // namespace gable::model
