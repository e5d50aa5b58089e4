#pragma once

// Counters of the kernel (perf_event_open) for programs that this thread starts, or for itself.

#include <linux/perf_event.h>
#include <string>
#include <vector>

namespace gable::points {

/// One counter's reading.
struct PerfReading {
  double count = 0;          ///< extrapolated if the counter was multiplexed
  double share_counted = 1;  ///< the fraction of the time in which it counted
};

/// Counters that are open as long as the object lives. Throws std::system_error with the kernel's error code
/// if the kernel refuses one.
class PerfEvents {
 public:
  /// What is counted: programs that this thread starts from now on, each from its exec on, with their
  /// descendants; or this thread between `start` and `read`.
  enum class Whom { started_programs, this_thread };

  PerfEvents(const std::vector<perf_event_attr>& events, Whom whom);
  ~PerfEvents();
  PerfEvents(const PerfEvents&) = delete;
  PerfEvents& operator=(const PerfEvents&) = delete;

  void start();
  /// The readings in the order of the events. The counted programs must have ended.
  std::vector<PerfReading> read() const;

 private:
  void close_all();

  std::vector<int> files_;
};

// The hardware events that the counter `pmu` uses, from libpfm4's tables of processors.

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
