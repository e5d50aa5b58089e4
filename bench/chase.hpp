#pragma once

// The list that a latency measurement follows.

#include <cstddef>
#include <cstdint>

namespace gable::bench {

/// Links the cache lines of the first `bytes` of `memory` into one cycle through all of them, in an order
/// that no prefetcher follows, and returns how many lines that is: the largest 2^k or 3 * 2^k that fits. The
/// order is that of a linear congruential generator with full period (Knuth, TAOCP 2, theorem 3.2.1.2A), so
/// the list is written front to back. `memory` is 64-byte aligned and `bytes` at least 256. A walk may start
/// at any line.
std::uint64_t build_chase(std::byte* memory, std::size_t bytes);

}  // namespace gable::bench
