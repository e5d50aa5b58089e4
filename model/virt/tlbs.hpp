#pragma once

// The levels of the TLB that programs under the roofs are compared with.

#include "model/profile/levels.hpp"
#include "model/virt/summary.hpp"

namespace gable::model {

/// The levels that the page walks of both sizes of pages show; empty without a fit.
ProfileTlb tlb_of(const VirtSummary& summary);

}  // namespace gable::model
