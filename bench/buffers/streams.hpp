#pragma once

// The streams of a kernel in one piece of memory.

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.hpp"

namespace gable::bench {

inline constexpr std::uint64_t stream_slack = 4 * 4096;  ///< room beside the streams that lay_streams may use

/// Points the streams of `kernel` into `memory`: `bytes` in total (and up to stream_slack more), in whole
/// iterations. Returns their size; 0 for a kernel without streams.
std::uint64_t lay_streams(const kernels::Kernel& kernel, std::byte* memory, std::uint64_t bytes,
                          kernels::Arguments& arguments);

}  // namespace gable::bench
