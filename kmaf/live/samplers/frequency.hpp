#pragma once

// How often the processor is asked to sample.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gable::kmaf::live {

/// Samples in a second of each thread's CPU time: as many as take `budget`, a share of that time, where one
/// takes `sample_seconds` (above 0). At least 1, and no more than `most`.
inline std::uint64_t frequency_within(double budget, double sample_seconds, std::uint64_t most) {
  const double affordable = std::min(budget / sample_seconds, static_cast<double>(most));
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(affordable)));
}

}  // namespace gable::kmaf::live
