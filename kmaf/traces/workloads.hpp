#pragma once

// Kernels whose sharing is known, as traces: what affinity management is judged by. Elements lie 64 KiB
// apart, as in a column of a matrix with long rows: they compete for few sets, so that a short trace covers
// more than the caches hold.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

struct WorkloadShape {
  int threads = 64;          ///< 2 or more, a multiple of 8 for the pipelines and blocks to be even
  int pages_of_thread = 32;  ///< of each thread's own data
  std::uint64_t accesses =
      5000000;  ///< of all threads; the trace ends with the pass in which they are reached
};

using AccessSink = std::function<void(const Access&)>;

struct Workload {
  const char* name;
  const char* summary;
  void (*generate)(const WorkloadShape& shape, const AccessSink& sink);
};

/// Every kernel; the same trace each time. The engine was developed by the first six, the others judge it.
const std::vector<Workload>& workloads();

}  // namespace gable::kmaf
