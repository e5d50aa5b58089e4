#pragma once

// The events with which a processor samples exact data addresses, as described in sysfs:
// mem-loads of Intel's PMUs (one per kind of core on hybrid processors), ibs_op of AMD's.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kmaf/live/guardian/settings.hpp"
#include "kmaf/live/samplers/perf_events.hpp"

namespace gable::kmaf::live {

struct PreciseEvents {
  std::vector<PerfSource> sources;  ///< together they cover all hardware threads; empty: none exist
  std::string missing;              ///< the reason if `sources` is empty
};

PreciseEvents precise_events(const Settings& settings);

/// Puts `value` into the bits that a PMU format file names: "config:0-7,32-35" or "config1:0-15".
/// False if it names fields other than config, config1 and config2, or the value does not fit.
bool put_term(const std::string& format, std::uint64_t value, PerfSource& into);

/// Samples per second of each thread's CPU time: as many as use `budget`, a share of that time, if each
/// takes `sample_seconds` (above 0). At least 1 and at most `most`.
inline std::uint64_t frequency_within(double budget, double sample_seconds, std::uint64_t most) {
  const double affordable = std::min(budget / sample_seconds, static_cast<double>(most));
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(affordable)));
}

}  // namespace gable::kmaf::live
