#pragma once

// An event of perf_event_open(2) that brings samples.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gable::kmaf::live {

struct PerfSource {
  std::string name;        ///< "cpu/mem-loads/"
  std::uint32_t type = 0;  ///< and the configuration, as in perf_event_attr
  std::uint64_t config = 0, config1 = 0, config2 = 0;
  std::uint64_t period = 1;     ///< events for one sample
  std::uint64_t frequency = 0;  ///< samples in a second of each thread's CPU time; 0: by `period`
  unsigned precise = 0;         ///< precise_ip
  /// Counted beside it, as the leader of its group: some processors record no address otherwise.
  std::optional<std::uint64_t> leader;
  std::vector<int> cpus;  ///< that have it; empty: all
  std::string needs;      ///< what lets perf have it, where it is refused; empty: nothing beyond the usual

  bool operator==(const PerfSource&) const = default;
};

}  // namespace gable::kmaf::live
