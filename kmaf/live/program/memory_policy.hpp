#pragma once

// The memory policies of the program's mappings and threads, from /proc/PID/numa_maps.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gable::kmaf::live {

/// A memory policy (mbind(2), set_mempolicy(2), numactl). Pages under one may go where the kernel's own
/// balancing would take them: nowhere, or to the nodes of a policy with MPOL_F_NUMA_BALANCING.
struct MemoryPolicy {
  bool binds = false;           ///< false: there is none
  std::vector<unsigned> nodes;  ///< os indices to which it lets pages move; empty: to none

  bool lets(int node) const;
  bool operator==(const MemoryPolicy&) const = default;
};

/// The policy of a mapping.
struct MappingPolicy {
  std::uint64_t begin = 0;  ///< address
  MemoryPolicy policy;
};

/// The policies in the lines of numa_maps. Linux before 6.11 does not show policies with
/// MPOL_F_NUMA_BALANCING. Unknown lines are left out.
std::vector<MappingPolicy> parse_policies(const std::string& numa_maps);

/// The mappings of a process, by ascending address. One without a policy has that of the process's first
/// thread. Empty if they cannot be read. The kernel looks at every page of the process for this.
std::vector<MappingPolicy> policies_of(pid_t pid);

/// The policy of a thread, which the kernel uses where a mapping has none. No value if it cannot be read.
std::optional<MemoryPolicy> policy_of_thread(pid_t pid, pid_t tid);

}  // namespace gable::kmaf::live
