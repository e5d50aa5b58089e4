#pragma once

// Traces of kernels with known sharing, to evaluate affinity management. Elements are 64 KiB apart, as in a
// column of a matrix with long rows. They compete for few cache sets, so that a short trace exceeds the
// caches.

#include <cstdint>
#include <functional>
#include <vector>

#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

struct WorkloadShape {
  int threads = 64;          ///< at least 2; a multiple of 8 makes the pipelines and blocks even
  int pages_of_thread = 32;  ///< of each thread's own data
  std::uint64_t accesses =
      5000000;  ///< of all threads; the trace ends with the pass that reaches this number
};

/// Receives the accesses and, between the passes of a kernel whose passes are alike, the events of a barrier.
using AccessSink = std::function<void(const Access&)>;

struct Workload {
  const char* name;
  const char* summary;
  void (*generate)(const WorkloadShape& shape, const AccessSink& sink);
};

/// All kernels; each always gives the same trace. The first six were used to develop the engine, the others
/// evaluate it.
const std::vector<Workload>& workloads();

}  // namespace gable::kmaf
