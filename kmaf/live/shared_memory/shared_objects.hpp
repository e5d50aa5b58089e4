#pragma once

// Lets the kernel's balancing see into shared memory. It leaves a mapping alone unless the policy of the
// mapping's first page says otherwise, and memory that belongs to an object has none. That page is given one
// (MPOL_BIND on all nodes with MPOL_F_NUMA_BALANCING); the others, and where their memory comes from, stay as
// they are.

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

/// Whether it may be shared memory into which the kernel does not see but would: writable, data, and of a
/// file system that has no disk. What it is tells the file system, once it is opened.
bool may_be_seen_into(const MappedRange& mapping);

/// The devices of the tmpfs among the mounts that /proc/PID/mountinfo lists, as in MappedRange.
std::set<std::uint64_t> tmpfs_in(const std::string& mountinfo);

/// Whether the process has chosen where its memory comes from (set_mempolicy(2), numactl). Its first thread
/// speaks for it.
bool has_memory_policy(pid_t pid);

class SharedObjects {
 public:
  explicit SharedObjects(Journal& journal) : journal_(journal) {}

  /// Takes care of what the process has mapped and was not seen before. A change goes into the journal first.
  void look(pid_t pid, const std::vector<MappedRange>& mappings);

  /// Objects that are seen into, and by reason those that are not.
  Moves counts() const;

 private:
  using Start = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;  // device, inode, offset
  using Name = std::pair<std::uint64_t, std::uint64_t>;
  /// Why it is not seen into; empty: it is. Nothing: it is gone for now, or no shared memory.
  std::optional<std::string> see_into(pid_t pid, const MappedRange& mapping, HeldFiles& held);
  /// Whether its file system is known to be tmpfs; of any other nothing is opened.
  bool lies_in_memory(pid_t pid, std::uint64_t device);
  /// The process has an object whose policy was changed: it is written down where that is still to be found.
  void note_holder(pid_t pid);

  Journal& journal_;
  std::set<Start> known_;
  std::map<Start, int> missed_;                             // how often it was not there when it was opened
  std::map<std::uint64_t, bool> in_memory_;                 // by device
  std::set<std::pair<pid_t, unsigned long long>> holders_;  // with their start times
  std::map<Name, std::string> objects_;                     // with the reason
};

}  // namespace gable::kmaf::live
