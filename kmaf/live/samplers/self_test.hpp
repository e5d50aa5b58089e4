#pragma once

// Whether samples are what they say, before anything is done by them: a thread walks through memory of its
// own, and its samples must lie there and carry its number and hardware thread.

#include <cstdint>
#include <string>
#include <vector>

#include "kmaf/live/samplers/event.hpp"
#include "kmaf/live/samplers/perf_source.hpp"

namespace gable::kmaf::live {

struct SelfTest {
  std::string fault;          ///< what is wrong; empty: nothing
  double sample_seconds = 0;  ///< what a sample with an address costs the program, above 0
};

/// Seconds of two walks through the same memory, sampled and not.
struct Walks {
  double sampled = 0, alone = 0;
  std::size_t samples = 0;  ///< with an address
};

/// What one sample costs: the median over pairs of walks that had samples. At least 1 us, about what an
/// interrupt takes, for smaller differences of walks tell nothing.
double sample_seconds_of(const std::vector<Walks>& pairs);

/// `bytes` is the memory, larger than the caches so that accesses go through all of them. The thread is bound
/// to a hardware thread that has the source.
SelfTest self_test(const PerfSource& source, std::size_t bytes);

/// What is wrong with these accesses for those of a walk by `tid` on `cpu` through `bytes` bytes from `begin`
/// on; empty: nothing.
std::string fault_of(const Events& events, pid_t tid, unsigned cpu, std::uint64_t begin, std::size_t bytes);

/// Twice the largest cache of the machine, but no more than 256 MiB.
std::size_t beyond_caches();

}  // namespace gable::kmaf::live
