#pragma once

// What a core can do beside the measured loop: its clock, and whether another hardware thread uses it.

#include <cstdint>

#include "kernels/kernel.hpp"

namespace gable::bench {

/// CLOCK_MONOTONIC.
std::int64_t now_ns();

/// Nanoseconds, at least 1, that so many iterations of the kernel take.
double run_for(const kernels::Kernel& kernel, kernels::Arguments& arguments, std::uint64_t iterations);

/// Clock of this thread's core in GHz, from a chain of dependent additions: the best of a few short probes.
double measure_clock_ghz();

/// A short probe, which touches no memory but its own arguments. The hardware threads of a core share its
/// adders. So a thread does fewer independent additions per cycle while another hardware thread of its core
/// computes, even one of another guest, which no accounting of this system shows.
class CoreProbe {
 public:
  CoreProbe();

  /// Independent additions per cycle: the time of dependent ones divided by that of as many independent ones.
  double adds_per_cycle();

 private:
  const kernels::Kernel& clock_;
  const kernels::Kernel& adds_;
  kernels::Arguments arguments_;
};

/// No undisturbed probe takes longer.
inline constexpr std::int64_t longest_probe_ns = 20'000;

}  // namespace gable::bench
