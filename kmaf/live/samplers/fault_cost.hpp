#pragma once

namespace gable::kmaf::live {

/// Seconds of a sampled page fault, measured now with first touches; 0 if perf is refused or lacks
/// descriptors or memory.
double sampled_fault_seconds();

}  // namespace gable::kmaf::live
