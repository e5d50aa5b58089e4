#pragma once

// An event of perf_event_open(2) that delivers samples.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gable::kmaf::live {

struct PerfSource {
  std::string name;        ///< "cpu/mem-loads/"
  std::uint32_t type = 0;  ///< and the configuration, as in perf_event_attr
  std::uint64_t config = 0, config1 = 0, config2 = 0;
  std::uint64_t period = 1;     ///< events per sample
  std::uint64_t frequency = 0;  ///< samples per second of each thread's CPU time; 0: use `period`
  unsigned precise = 0;         ///< precise_ip
  /// The leader of its group, which only counts: without it, some processors record no address.
  std::optional<std::uint64_t> leader;
  bool samples_stores = false;  ///< beside loads; its samples tell which
  std::vector<int> cpus;        ///< CPUs that have the event; empty: all
  std::string needs;            ///< requirements to mention if perf refuses it; empty: only the usual ones

  bool operator==(const PerfSource&) const = default;
};

}  // namespace gable::kmaf::live
