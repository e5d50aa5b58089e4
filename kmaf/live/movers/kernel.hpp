#pragma once

// The system calls that move pages and bind threads, behind an interface so that the handling of their
// results can be tested on a machine with one node.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kmaf/live/program/memory_policy.hpp"

namespace gable::kmaf::live {

class Kernel {
 public:
  virtual ~Kernel() = default;

  /// Moves each page of the process to its node (os index). Returns for each page its node or a negative
  /// errno. Throws nothing; if the whole call fails, every page has that errno.
  virtual std::vector<int> move_pages(pid_t pid, const std::vector<std::uint64_t>& addresses,
                                      const std::vector<int>& nodes) = 0;
  /// The node of each page, or a negative errno.
  virtual std::vector<int> nodes_of(pid_t pid, const std::vector<std::uint64_t>& addresses) = 0;
  /// The memory policies of a process and of a thread, as in program/memory_policy.hpp.
  virtual std::vector<MappingPolicy> policies(pid_t pid) = 0;
  virtual std::optional<MemoryPolicy> policy_of_thread(pid_t pid, pid_t tid) = 0;
  virtual std::optional<std::vector<unsigned>> affinity(pid_t tid) = 0;
  /// 0 or errno.
  virtual int set_affinity(pid_t tid, const std::vector<unsigned>& pus) = 0;
};

/// The running kernel.
Kernel& running_kernel();

}  // namespace gable::kmaf::live
