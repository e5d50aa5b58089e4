#pragma once

// Counts a program's stores, through perf_event_open(2): how much it does, since a thread that waits stores
// hardly anything.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <sys/types.h>

#include "base/perf/counters.hpp"

namespace gable::kmaf::live {

/// An event that only counts, as in perf_event_attr.
struct CountedEvent {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
};

/// What a processor may count stores by, in user mode: perf's L1-dcache-stores, which AMD's do not have, and
/// the stores that AMD's dispatch (Zen 1 to 5: event 29h, masks 2 and 4).
std::vector<CountedEvent> store_events();

/// Something with a known number of events.
struct KnownWork {
  std::function<void()> run;
  double events = 0;
};
/// A loop with a million stores.
KnownWork known_stores();

/// The events of `tried` that can be opened and count the work right, within a fifth; the first of them.
/// If there is none, `error` is the errno of the first attempt to open one: ENOENT or EOPNOTSUPP where the
/// CPU or a virtual machine has none, or ERANGE if it was opened but counted wrong.
struct FoundEvent {
  std::optional<CountedEvent> event;
  int error = 0;
};
FoundEvent find_event(const std::vector<CountedEvent>& tried, const KnownWork& work);

class StoreCounter {
 public:
  /// Counts from the program's next exec on, with all that it starts. Throws std::system_error.
  StoreCounter(pid_t program, CountedEvent event);

  /// The count so far, extrapolated if the counter was shared with other users; empty if it never ran.
  std::optional<double> count() const;

 private:
  PerfCounters counters_;
};

}  // namespace gable::kmaf::live
