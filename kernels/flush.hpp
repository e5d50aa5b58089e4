#pragma once

// Empties the caches of memory that was just written.

#include <cstddef>
#include <cstdint>

namespace gable::kernels {

/// Writes the lines of `bytes` bytes back and drops them from every cache of the machine. Returns when it is
/// done.
void flush(const std::byte* memory, std::uint64_t bytes);

}  // namespace gable::kernels
