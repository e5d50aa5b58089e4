#pragma once

// What a core can do beside the measured loop: its clock, and whether another hardware thread uses it.

#include <cstdint>
#include <map>
#include <vector>

#include "kernels/kernel.hpp"

namespace gable::bench {

class CoreWidth {
 public:
  /// `adds_per_cycle` of a probe (core_probe.hpp); 0: not probed, and not counted.
  void saw(int cluster, double adds_per_cycle);

  /// The highest number that at least one probe in a hundred agrees on. Probes of crowded cores are below it.
  /// Probes that were interrupted may be above it, but do not agree. 0 if there was none.
  double most(int cluster) const;

 private:
  struct Probes {
    std::uint64_t all = 0;
    std::vector<std::uint32_t> steps;  // of one percent
  };
  std::map<int, Probes> probes_;  // by cluster
};

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
