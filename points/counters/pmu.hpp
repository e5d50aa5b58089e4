#pragma once

// The counter `pmu`: the processor's counters, read by perf_event_open with libpfm4's event names. It counts
// flops. For loads and stores it counts instructions, which are not bytes.

#include <functional>
#include <string>
#include <vector>

#include "base/perf/counters.hpp"
#include "points/counters/counts.hpp"

namespace gable::points {

/// Why it cannot count here: libpfm4 is missing, the machine has no counters, or the kernel does not allow
/// it; empty if it can.
std::string pmu_unavailable();

/// Runs the program and counts it with all its descendants. Bytes are not counted; loads and stores are in
/// the notes. Throws Error::program, Error::failed.
Counts count_with_pmu(const Program& program);

inline constexpr Backend pmu_backend = {"pmu", pmu_unavailable, count_with_pmu};

/// A computation with known flops, to check the counters.
struct KnownWork {
  std::string name;
  double flops = 0;
  std::function<void()> run;
};

struct CounterError {
  std::string name;
  double counted = 0, known = 0;
  double percent() const { return 100 * (counted - known) / known; }
};

/// Runs each computation in this thread and counts it. Throws Error::failed.
std::vector<CounterError> test_pmu(const std::vector<KnownWork>& known);

/// The source of event readings: the kernel's counters, or a substitute in a test.
struct EventSource {
  std::vector<std::string> names;  ///< of the events, in the form of events.hpp
  std::vector<std::string> none;   ///< of events that cannot occur here
  /// Performs the work while the events of `whom` are counted; returns one reading per name.
  std::function<std::vector<PerfReading>(PerfCounters::Whom whom, const std::function<void()>& work)> read;
};

/// These work as above, but read another source.
Counts count_events(const EventSource& source, const Program& program);
std::vector<CounterError> test_events(const EventSource& source, const std::vector<KnownWork>& known);

}  // namespace gable::points
