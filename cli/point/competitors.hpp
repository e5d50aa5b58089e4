#pragma once

// Other processes that compete with a program that this process runs and waits for.

#include "bench/visit/watch.hpp"

namespace gable::cli {

/// What else ran since construction. The program counts once it and its children have ended and were waited
/// for; a process that it leaves behind counts as another one.
class Competitors {
 public:
  Competitors();

  struct Seen {
    double cpus = 0;        ///< that other processes kept busy, mean
    double stolen = 0;      ///< CPUs that the hypervisor took away, mean
    double seconds = 0;     ///< for which this was observed
    bool disturbs = false;  ///< as gable measure and gable place judge; false for a time too short to judge
  };
  Seen seen() const;

 private:
  bench::CpuTimes before_;
};

/// Several observations as one.
Competitors::Seen together(const Competitors::Seen& a, const Competitors::Seen& b);

}  // namespace gable::cli
