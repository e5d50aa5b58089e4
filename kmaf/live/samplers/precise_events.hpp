#pragma once

// The events with which a processor samples exact data addresses, as described in sysfs:
// mem-loads of Intel's PMUs (one per kind of core on hybrid processors), ibs_op of AMD's.

#include <string>
#include <vector>

#include "kmaf/live/guardian/settings.hpp"
#include "kmaf/live/samplers/perf_source.hpp"

namespace gable::kmaf::live {

struct PreciseEvents {
  std::vector<PerfSource> sources;  ///< together they cover all hardware threads; empty: none exist
  std::string missing;              ///< the reason if `sources` is empty
};

PreciseEvents precise_events(const Settings& settings);

/// Puts `value` into the bits that a PMU format file names: "config:0-7,32-35" or "config1:0-15".
/// False if it names fields other than config, config1 and config2, or the value does not fit.
bool put_term(const std::string& format, std::uint64_t value, PerfSource& into);

}  // namespace gable::kmaf::live
