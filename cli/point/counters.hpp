#pragma once

// Checks counters with kernels whose flops are known.

namespace gable::cli {

/// Runs kernels with known flops under the hardware counters and prints their errors on stderr. Throws
/// Error::failed if an error exceeds 1 %; such counters are not used.
void require_true_pmu();

}  // namespace gable::cli
