#pragma once

// The hardware events that the counter `pmu` asks for, as libpfm4's tables of processors have them.

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
  /// Widths that this processor's vectors do not have: counts of nought.
  std::vector<std::string> none;
};

/// Why there are no names: built without libpfm4, with its package; empty where there are.
std::string events_unavailable();

/// The names that are asked for on a processor of this vendor ("GenuineIntel", "AuthenticAMD"). Several of
/// them may stand for one event: processors before Skylake call loads otherwise.
std::vector<std::string> pmu_events(const std::string& vendor);

/// Those that libpfm4 knows for this processor, each event once. LIBPFM_FORCE_PMU ("skx",
/// "amd64_fam19h_zen3") makes libpfm4 take it for another.
KnownEvents known_events(const std::string& vendor);

}  // namespace gable::points
