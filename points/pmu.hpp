#pragma once

// The counter `pmu`: the processor's own counters, read through perf_event_open with libpfm4's event names.
// It counts flops; of loads and stores it counts instructions, which are not bytes.

#include <functional>
#include <string>
#include <vector>

#include "points/counts.hpp"

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

/// The events that are asked for on a processor of this vendor ("GenuineIntel", "AuthenticAMD"), by libpfm4's
/// names; those that the processor does not know are left out.
std::vector<std::string> pmu_events(const std::string& vendor);

}  // namespace gable::points
