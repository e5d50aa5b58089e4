#pragma once

// The hardware events that the counter `pmu` uses, from libpfm4's tables of processors.

#include <linux/perf_event.h>
#include <string>
#include <vector>

namespace gable::points {

/// An event of this processor.
struct NamedEvent {
  std::string name;  ///< libpfm4's: "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"
  perf_event_attr attributes = {};
};

struct KnownEvents {
  std::vector<NamedEvent> events;
  /// Events for widths that this processor's vectors do not have; their counts are 0.
  std::vector<std::string> none;
};

/// Why there are no names: built without libpfm4, with its package; empty if there are.
std::string events_unavailable();

/// The names for a processor of this vendor ("GenuineIntel", "AuthenticAMD", "Arm" for all of AArch64).
/// Several of them may be the same event, as processors before Skylake use another name for loads.
std::vector<std::string> pmu_events(const std::string& vendor);

/// The events of pmu_events() that libpfm4 knows for this processor, each once. LIBPFM_FORCE_PMU ("skx",
/// "amd64_fam19h_zen3") makes libpfm4 use another processor's table.
KnownEvents known_events(const std::string& vendor);

}  // namespace gable::points
