#pragma once

// Counters held against kernels whose flops are known.

namespace gable::cli {

/// Runs kernels of known flops under the hardware counters and says on stderr how far they are off. Throws
/// points::CountError where that is more than 1 %: such counters are not used.
void require_true_pmu();

}  // namespace gable::cli
