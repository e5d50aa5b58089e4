#pragma once

// The events by which a processor samples data addresses exactly, as the kernel's sysfs describes them:
// mem-loads of Intel's PMUs (of each kind of core where there are two), ibs_op of AMD's.

#include <string>
#include <vector>

#include "kmaf/live/guardian/settings.hpp"
#include "kmaf/live/samplers/perf_source.hpp"

namespace gable::kmaf::live {

struct PreciseEvents {
  std::vector<PerfSource> sources;  ///< together on all hardware threads; empty: there are none
  std::string missing;              ///< then why
};

PreciseEvents precise_events(const Settings& settings);

/// `value` in the bits that a file of the PMU's format folder names: "config:0-7,32-35" or "config1:0-15".
/// False where it names others than those of config, config1 and config2, or the value does not fit.
bool put_term(const std::string& format, std::uint64_t value, PerfSource& into);

}  // namespace gable::kmaf::live
