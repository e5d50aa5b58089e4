#pragma once

// Which pages the program's memory policies let move.

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "kmaf/live/movers/kernel.hpp"

namespace gable::kmaf::live {

class PagePolicies {
 public:
  explicit PagePolicies(Kernel& kernel) : kernel_(kernel) {}

  /// False: not yet, because reading takes long in large processes, and at most a twentieth of the time is
  /// spent on it.
  bool may_read() const;
  void read(pid_t pid);

  /// Whether the page may move to that node (os index), by the last reading. `tid`: the thread that accessed
  /// it, whose policy counts where the mapping has none; 0: not known. No value if the policies cannot be
  /// read.
  std::optional<bool> let(pid_t pid, pid_t tid, std::uint64_t address, int node);

  /// Whether the page was to stay where it is when the policies were last read, not long ago.
  bool keep(pid_t pid, std::uint64_t address) const;

  void forget(pid_t pid) { processes_.erase(pid); }

 private:
  struct Process {
    double read_at = 0;  // seconds
    std::vector<MappingPolicy> mappings;
    std::map<pid_t, std::optional<MemoryPolicy>> threads;
    const MemoryPolicy* of_page(std::uint64_t address) const;
  };
  Kernel& kernel_;
  double pauses_until_ = 0;  // seconds
  std::map<pid_t, Process> processes_;
};

}  // namespace gable::kmaf::live
