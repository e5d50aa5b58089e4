#pragma once

// A process whose writes are seen now and then: a page of it is protected, the next write to it waits, is
// told and goes on.

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "kmaf/live/userfault.hpp"
#include "kmaf/live/written_ranges.hpp"
#include "kmaf/preload/protocol.h"

namespace gable::kmaf::live {

/// One thread may call `look` to `release_old`, another `serve`.
class WatchedProcess {
 public:
  /// `list` holds the process's gable_threads; the userfaultfd has begun.
  WatchedProcess(pid_t pid, Userfault faults, Mapped list, double now);

  pid_t pid() const { return pid_; }
  int descriptor() const { return faults_.descriptor(); }

  enum class Standing {
    watched,
    gone,       ///< it has ended, or runs another program
    left_alone  ///< it wants to be, or has opened what memory is handed to (takes_memory)
  };
  /// Looks at what the process has mapped, where that is due.
  Standing look(double now);
  /// Bytes that may be protected now; 0 while a thread is being made.
  std::uint64_t protectable_bytes();
  /// Protects up to `count` units, from the one on with the byte that is `at` bytes into what may be
  /// protected, in one call: each stops all hardware threads that the process runs on. How many: none where
  /// the first is not in memory, or cannot be protected.
  std::size_t protect(std::uint64_t at, std::uint64_t unit_bytes, std::size_t count, double now);
  /// What nobody has written for a tenth of a second.
  void release_old(double now);

  /// Lets whoever waits go on. The write, if it was to a page that was protected on purpose.
  struct Served {
    std::optional<Userfault::Fault> write;
  };
  /// Empty: nobody waits.
  std::optional<Served> serve();

 private:
  struct Hidden {
    AddressRange range;
    double since = 0;
  };
  const gable_threads& threads() const { return *reinterpret_cast<const gable_threads*>(list_.get().data()); }
  bool in_memory(std::uint64_t address) const;
  std::optional<AddressRange> uncover(std::uint64_t address);
  void release(const AddressRange& range);

  pid_t pid_;
  Userfault faults_;
  Mapped list_;
  Descriptor pagemap_;
  std::uint64_t page_bytes_;
  std::vector<AddressRange> watched_, protectable_;
  std::uint64_t bytes_ = 0;         // of protectable_
  std::uint32_t threads_seen_ = 0;  // when that was made
  double next_look_, rest_;
  std::mutex lock_;
  std::map<std::uint64_t, Hidden> hidden_;  // under lock_, by its beginning
};

}  // namespace gable::kmaf::live
