#pragma once

// The cost of detours, and the detours that come at regular times.

#include <string>
#include <vector>

#include "model/records/virt.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// A source of detours that come at regular times, found in the spectrum of the detours' times.
struct NoiseSource {
  double period_us = 0;
  double length_us = 0;  ///< median of its detours
  double share = 0;      ///< of the time, 0 to 1, that it takes
  double seen = 0;       ///< share of the expected detours that are there
  int detours = 0;
  std::string name;  ///< the kernel's interrupt with this rate; empty: none
};

struct NoiseBin {
  double from_us = 0;
  int detours = 0;
  double lost_us = 0;
};

/// The noise on one CPU, from all its records.
struct Noise {
  int cpu = 0;
  double seconds = 0;  ///< of all records
  int detours = 0;
  Estimate share;  ///< of the time that is lost, 0 to 1; interval by a bootstrap of blocks
  double longest_us = 0, median_us = 0;
  double steal_percent = 0;  ///< of the time, by the kernel's accounting
  double threshold_us = 0;
  std::vector<NoiseBin> histogram;   ///< by powers of two, from the threshold on
  std::vector<NoiseSource> sources;  ///< most time first
  double per_second() const { return seconds > 0 ? detours / seconds : 0; }
};

/// One entry per CPU that has an ok record, by its number.
std::vector<Noise> noise_of(const std::vector<VirtSample>& samples);

/// The periodic sources of a CPU's records.
std::vector<NoiseSource> periodic_sources(const std::vector<const VirtSample*>& records);

}  // namespace gable::model
