#pragma once

// What other processes and other guests did while a program ran.

#include "bench/visit/watch.hpp"

namespace gable::cli {

/// The program counts as itself once it and its children have ended and were waited for; a process that it
/// leaves behind counts as another one.
struct Competitors {
  double cpus = 0;        ///< that other processes kept busy, mean
  double stolen = 0;      ///< CPUs that the hypervisor took away, mean
  double seconds = 0;     ///< for which this was observed
  bool disturbs = false;  ///< both together are more than `gable measure` tolerates; false for a time too
                          ///< short to judge

  double had() const { return cpus + stolen; }
};

Competitors competitors_between(const bench::CpuTimes& before, const bench::CpuTimes& after);

/// Several observations of the same machine as one.
Competitors together(const Competitors& a, const Competitors& b, int cpus);

}  // namespace gable::cli
