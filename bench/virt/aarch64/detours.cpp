#include "bench/virt/detours.hpp"

#include <time.h>

#include "bench/virt/detour_loop.hpp"

namespace gable::bench {

DetourRecord record_detours(double seconds, double threshold, const std::atomic<bool>& stop) {
  const auto nanoseconds = [] {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
  };
  return record_detours(nanoseconds, seconds, threshold, stop);
}

}  // namespace gable::bench
