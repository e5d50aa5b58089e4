#pragma once

// What the memory benchmarks measure on a tier. Deterministic: the same machine and options give the same
// cells.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "machines/machine.hpp"
#include "model/records/tier.hpp"

namespace gable::bench {

/// The options that the user gave.
struct TierOptions {
  int cluster = 0;
  int threads = 0;   ///< at most this many, one per core; 0: all cores
  bool smt = false;  ///< also writes in blocks on all hardware threads
  std::vector<std::uint64_t> accesses = {64,   128,  256, 512,
                                         1024, 2048, 4096};  ///< of writes in blocks; may be empty
  std::uint64_t memory_set_bytes = 0;  ///< working set; 0: derived from the cluster's caches
  int runs = 10;                       ///< visits to every cell
};

/// Bytes of the blocks that are read in random order: a line, and what persistent memory reads at once.
inline constexpr std::array<std::uint64_t, 2> read_blocks = {64, 256};

struct TierCell {
  model::TierCase spec;
  const kernels::Kernel* kernel = nullptr;  ///< nullptr: the cell is skipped
  model::Note skip;                         ///< why it cannot be measured on this machine; empty if it can
};

/// Every cell of the tier `name`: latency by one thread; loads in a stream and of random blocks, stores
/// (plain, with each line written back, and non-temporal) and STREAM by 1, 2, 4, ... and all cores, and by
/// all hardware threads; stores in blocks of every size by every way, in sequence and scattered, by 1, 2, 4,
/// ... and all cores. `features`: of the CPU (kernels::cpu_features).
std::vector<TierCell> tier_cells(const std::string& name, const machines::Cluster& cluster,
                                 const TierOptions& options, std::uint32_t features);

/// A thread's part of a working set: a power of two, so that it consists of whole blocks of every size.
std::uint64_t tier_share(std::uint64_t bytes, int threads);

/// The memory that these cells need, one after the other.
std::uint64_t tier_bytes(const std::vector<TierCell>& cells);

}  // namespace gable::bench
