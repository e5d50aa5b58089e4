#pragma once

// The counter `pmu`: the processor's own counters, read through perf_event_open with libpfm4's event names.
// It counts flops; of loads and stores it counts instructions, which are not bytes.

#include <functional>
#include <string>
#include <vector>

#include "points/counters/counts.hpp"
#include "points/counters/perf_events.hpp"

namespace gable::points {

/// Why it cannot count here: libpfm4 is missing, the machine shows no counters, or the kernel does not allow
/// it; empty: it can.
std::string pmu_unavailable();

/// Runs the program and counts it with everything that it starts. The bytes are not counted; loads and stores
/// stand in the notes. Throws ProgramError, CountError.
Counts count_with_pmu(const Program& program);

inline constexpr Backend pmu_backend = {"pmu", pmu_unavailable, count_with_pmu};

/// A computation of known flops, for what counters say to be held against.
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

/// Runs each in this thread and counts it. Throws CountError.
std::vector<CounterError> test_pmu(const std::vector<KnownWork>& known);

/// What gives readings of events: the kernel's counters, or what stands for them in a test.
struct EventSource {
  std::vector<std::string> names;  ///< of the events, as events.hpp knows them
  std::vector<std::string> none;   ///< of events that cannot occur here
  /// Does the work while the events of `whom` are counted; a reading a name.
  std::function<std::vector<PerfReading>(PerfEvents::Whom whom, const std::function<void()>& work)> read;
};

/// As above, with the readings of any source.
Counts count_events(const EventSource& source, const Program& program);
std::vector<CounterError> test_events(const EventSource& source, const std::vector<KnownWork>& known);

}  // namespace gable::points
