#pragma once

// The fitted hybrid models of a machine as the roofs of applications (LARM paper, section 6.2).

#include "model/hybrid/hybrid.hpp"
#include "model/points/limits.hpp"

namespace gable::model {

/// Tells the bandwidth of a cluster that takes its bytes from two memories of which a pair was fitted, with
/// the 95 % interval of a single measurement where it is known. Loads and stores are taken to be shared out
/// alike, since pages are all that is known of where they go. Of several fits of one pair of memories the one
/// with the Point's number of threads counts, or the nearest to it (without it, the one with the most); of
/// those in several page sizes the faster, as of other roofs.
MixModel mix_model(Hybrid hybrid);

}  // namespace gable::model
