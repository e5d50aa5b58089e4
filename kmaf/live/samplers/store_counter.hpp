#pragma once

// Counts a program's stores, through perf_event_open(2): how much it does, since a thread that waits stores
// hardly anything.

#include <cstdint>
#include <optional>

#include <sys/types.h>

#include "kmaf/live/descriptor.hpp"

namespace gable::kmaf::live {

/// An event that only counts, as in perf_event_attr.
struct CountedEvent {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
};

/// Stores that reach the L1 cache, in user mode: perf's L1-dcache-stores.
CountedEvent l1_stores();

class StoreCounter {
 public:
  /// 0 if such events of this process's children can be counted, otherwise the errno of the attempt: ENOENT
  /// or EOPNOTSUPP where the CPU or a virtual machine has none.
  static int refusal(CountedEvent event = l1_stores());

  /// Counts from the program's next exec on, with all that it starts. Throws std::system_error.
  explicit StoreCounter(pid_t program, CountedEvent event = l1_stores());

  /// So far, extrapolated if the counter was shared with other users; empty if it never ran.
  std::optional<double> count() const;

 private:
  Descriptor event_;
};

}  // namespace gable::kmaf::live
