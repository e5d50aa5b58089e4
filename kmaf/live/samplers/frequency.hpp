#pragma once

// The sampling frequency of the processor.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gable::kmaf::live {

/// Samples per second of each thread's CPU time: as many as use `budget`, a share of that time, if each
/// takes `sample_seconds` (above 0). At least 1 and at most `most`.
inline std::uint64_t frequency_within(double budget, double sample_seconds, std::uint64_t most) {
  const double affordable = std::min(budget / sample_seconds, static_cast<double>(most));
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(affordable)));
}

}  // namespace gable::kmaf::live
