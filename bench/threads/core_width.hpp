#pragma once

// How many independent additions per cycle the cores of a cluster do when nothing else uses them, from all
// probes so far.

#include <cstdint>
#include <map>
#include <vector>

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

}  // namespace gable::bench
