#pragma once

// Lets the kernel's balancing hide pages of shared memory. It skips such a mapping unless the policy of the
// mapping's first page asks for it, and memory of an object has no policy. So this sets one on that page
// (MPOL_BIND on all nodes with MPOL_F_NUMA_BALANCING). The other pages, and the nodes of their memory,
// do not change.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kmaf/live/guardian/journal.hpp"
#include "kmaf/live/movers/page_mover.hpp"
#include "kmaf/live/shared_memory/object_policy.hpp"

namespace gable::kmaf::live {

/// Whether it may be shared memory that needs such a policy: writable, data, and of a file system without
/// a disk. After opening, the file system decides.
bool may_need_policy(const MappedRange& mapping);

/// The devices of tmpfs mounts in /proc/PID/mountinfo, as in MappedRange.
std::set<std::uint64_t> tmpfs_in(const std::string& mountinfo);

class SharedObjects {
 public:
  explicit SharedObjects(Journal& journal) : journal_(journal) {}

  /// Handles mappings of the process that were not seen before. Changes are journalled first.
  void look(pid_t pid, const std::vector<MappedRange>& mappings);

  /// Objects with the policy, and failures by reason.
  Moves counts() const;

 private:
  using Start = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;  // device, inode, offset
  using Name = std::pair<std::uint64_t, std::uint64_t>;
  /// Why the policy was not set; empty string: it was. No value: the object is gone, or is not shared memory.
  std::optional<std::string> set_hiding_policy(pid_t pid, const MappedRange& mapping, HeldFiles& held);
  /// Whether its file system is known to be tmpfs; files of others are not opened.
  bool lies_in_memory(pid_t pid, std::uint64_t device);
  /// Journals the process as one that maps a changed object, so that the object can be found later.
  void note_holder(pid_t pid);

  Journal& journal_;
  std::set<Start> known_;
  std::map<Start, int> missed_;                             // how often opening failed because it was gone
  std::map<std::uint64_t, bool> in_memory_;                 // by device
  std::set<std::pair<pid_t, unsigned long long>> holders_;  // with their start times
  std::map<Name, std::string> objects_;                     // with the reason
};

}  // namespace gable::kmaf::live
