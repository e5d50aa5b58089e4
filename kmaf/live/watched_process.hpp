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
    left_alone  ///< it wants to be, has loaded or opened what memory is handed to (loads_device,
                ///< takes_memory), or a thread has a real-time priority, which whoever serves it has not
  };
  /// Left alone where the process itself wants that, which takes no look.
  Standing standing() const;
  double next_look() const { return next_look_; }  ///< when one is due
  /// Looks at what the process has mapped and opened.
  Standing look(double now);
  /// Releases everything; nothing is protected before a look, which is due when things have been loaded.
  void hold_still(double now);
  /// Bytes that may be protected now; 0 while a thread is being made, and where the last look is too old to
  /// rely on.
  std::uint64_t protectable_bytes(double now);
  /// Protects up to `count` units, from the one on with the byte that is `at` bytes into what may be
  /// protected, in one call: each stops all hardware threads that the process runs on. How many: none where
  /// the first is not in memory, or cannot be protected.
  std::size_t protect(std::uint64_t at, std::uint64_t unit_bytes, std::size_t count, double now);
  /// What nobody has written for a tenth of a second, or for so long.
  void release_old(double now, double seconds = most_seconds_hidden);

  struct Served {
    std::optional<Userfault::Fault> write;  ///< if it was to a page that was protected on purpose
    std::optional<unsigned> pu;             ///< where; empty where the writer is no thread of this process
  };
  /// Lets one who waits go on; empty: nobody waits.
  std::optional<Served> serve();

 private:
  static constexpr double most_seconds_hidden = 0.1;
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
  std::vector<AddressRange> watched_;
  Stretch protectable_;
  std::uint32_t threads_seen_ = 0;  // when that was made
  std::optional<double> looked_;    // when last, and what was seen still holds
  double next_look_, rest_;
  std::mutex lock_;
  std::map<std::uint64_t, Hidden> hidden_;  // under lock_, by its beginning
};

}  // namespace gable::kmaf::live
