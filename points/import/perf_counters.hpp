#pragma once

// The counters in the output of `perf stat -j`, each count once.

#include <map>
#include <string>
#include <vector>

namespace gable::points {

/// The counts of one unit ("cpu_core", "cpu_atom"), by event as perf writes it.
struct PerfUnit {
  std::map<std::string, double> counts;  ///< over all CPUs, sockets, threads and control groups
  std::vector<std::string> lost;         ///< events that perf never counted
};

struct PerfCounters {
  std::map<std::string, PerfUnit> units;  ///< by name; usually the only one, without a name
  double least_running = 100;             ///< percentage of the time in which each was counted
};

/// The same event with the same modifiers at the same place, as in two groups, counts once: of multiplexed
/// counts the one that was counted longest. Modifiers that exclude each other (":u" and ":k") add up. Throws
/// Error::format, which names the line, for other text, for output of `-I`, and for several runs in one file.
PerfCounters perf_counters(const std::string& text, const std::string& path);

}  // namespace gable::points
