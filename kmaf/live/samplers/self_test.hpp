#pragma once

// Checks samples before they are used: a thread walks through its own memory, and its samples must lie there
// and carry its thread ID and hardware thread.

#include <cstdint>
#include <string>
#include <vector>

#include "kmaf/live/samplers/event.hpp"
#include "kmaf/live/samplers/perf_events.hpp"

namespace gable::kmaf::live {

struct SelfTest {
  std::string fault;          ///< empty: the test passed
  double sample_seconds = 0;  ///< what a sample with an address costs the program, above 0
};

/// Seconds of two walks through the same memory, with and without sampling.
struct Walks {
  double sampled = 0, alone = 0;
  std::size_t samples = 0;  ///< with an address
};

/// Cost of a sample: the median over pairs of walks that had samples. At least 1 us, about the cost of an
/// interrupt, because smaller differences between walks are noise.
double sample_seconds_of(const std::vector<Walks>& pairs);

/// `bytes`: size of the memory, larger than the caches, so that accesses miss in all of them. The thread is
/// bound to a hardware thread that has the source.
SelfTest self_test(const PerfSource& source, std::size_t bytes);

/// Why these accesses cannot be those of a walk by `tid` on `cpu` through `bytes` bytes from `begin`;
/// empty: they can.
std::string fault_of(const Events& events, pid_t tid, unsigned cpu, std::uint64_t begin, std::size_t bytes);

/// Twice the largest cache of the machine, but no more than 256 MiB.
std::size_t beyond_caches();

}  // namespace gable::kmaf::live
