#pragma once

// What the memory benchmarks measure of a tier. Pure: the same machine and options give the same cells.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "machines/machine.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

/// What the user asked for.
struct TierOptions {
  int cluster = 0;
  int threads = 0;   ///< at most so many, one a core; 0: all cores
  bool smt = false;  ///< writes in blocks on all hardware threads too
  std::vector<std::uint64_t> accesses = {64,   128,  256, 512,
                                         1024, 2048, 4096};  ///< of writes in blocks; may be empty
  std::uint64_t memory_set_bytes = 0;  ///< working set; 0: large beside the cluster's caches
  int runs = 10;                       ///< visits to every cell
};

struct TierCell {
  model::TierCase asked;
  const kernels::Kernel* kernel = nullptr;  ///< nullptr: it is skipped
  std::string skip;                         ///< why it cannot be measured on this machine; empty: it can
};

/// Every cell of the tier `name`: latency by one thread; loads, stores (plain, written back line by line,
/// past the caches) and STREAM by 1, 2, 4, ... and all cores, and by all hardware threads; stores in blocks
/// by every way and size, front to back and scattered, by 1, 2, 4, ... and all cores. `features`: of the CPU
/// (kernels::cpu_features).
std::vector<TierCell> tier_cells(const std::string& name, const machines::Cluster& cluster,
                                 const TierOptions& options, std::uint32_t features);

/// A thread's part of a working set: a power of two, so that blocks of every size fill it.
std::uint64_t tier_share(std::uint64_t bytes, int threads);

/// The memory that all of these cells need, each in its turn.
std::uint64_t tier_bytes(const std::vector<TierCell>& cells);

}  // namespace gable::bench
