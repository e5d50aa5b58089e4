#include "bench/buffers/streams.hpp"

#include <algorithm>
#include <numeric>

#include "bench/buffers/page_mix.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t stagger_page = 4096;

}  // namespace

std::uint64_t lay_streams(const kernels::Kernel& kernel, std::byte* memory, std::uint64_t bytes,
                          kernels::Arguments& arguments) {
  const std::uint64_t step =
      std::accumulate(std::begin(kernel.stream_bytes), std::end(kernel.stream_bytes), std::uint64_t{0});
  if (step == 0) return 0;
  arguments.iterations_per_pass = std::max<std::uint64_t>(1, bytes / step);
  std::uint64_t at = 0;
  for (int s = 0; s < 3; ++s) {
    if (kernel.stream_bytes[s] == 0) continue;
    if (s == 2) {
      if (at != 0) at += store_offset;
      arguments.store = memory + at;
    } else {
      arguments.load[s] = memory + at;
    }
    at = (at + arguments.iterations_per_pass * kernel.stream_bytes[s] + stagger_page - 1) / stagger_page *
         stagger_page;
  }
  arguments.position = 0;
  return arguments.iterations_per_pass * step;
}

}  // namespace gable::bench
