#include "bench/virt/detours.hpp"

#include <x86intrin.h>

#include "bench/virt/detour_loop.hpp"

namespace gable::bench {

DetourRecord record_detours(double seconds, double threshold, const std::atomic<bool>& stop) {
  return record_detours([] { return static_cast<std::uint64_t>(__rdtsc()); }, seconds, threshold, stop);
}

}  // namespace gable::bench
