#pragma once

// The system calls that move pages and bind threads, behind a seam so that what is made of their answers can
// be tested without a machine that has several nodes.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace gable::kmaf::live {

class Kernel {
 public:
  virtual ~Kernel() = default;

  /// Moves each page of the process to its node (os index). The answer of each page: its node, or a negative
  /// errno. Throws nothing; a call that fails as a whole is the answer of every page.
  virtual std::vector<int> move_pages(pid_t pid, const std::vector<std::uint64_t>& addresses,
                                      const std::vector<int>& nodes) = 0;
  /// Where each page lies, in the same way.
  virtual std::vector<int> nodes_of(pid_t pid, const std::vector<std::uint64_t>& addresses) = 0;
  virtual std::optional<std::vector<unsigned>> affinity(pid_t tid) = 0;
  /// 0 or errno.
  virtual int set_affinity(pid_t tid, const std::vector<unsigned>& pus) = 0;
};

/// The kernel that runs.
Kernel& running_kernel();

}  // namespace gable::kmaf::live
