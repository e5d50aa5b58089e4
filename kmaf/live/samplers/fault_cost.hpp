#pragma once

namespace gable::kmaf::live {

/// Seconds that a page fault takes that is sampled, measured here and now by first touches; 0 where perf is
/// refused or lacks descriptors or memory.
double sampled_fault_seconds();

}  // namespace gable::kmaf::live
