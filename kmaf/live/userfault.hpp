#pragma once

// A userfaultfd(2) that lets writes to protected pages of one process wait until they are released. When it
// is closed, however, nothing is protected any more and nobody waits.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "kmaf/live/samplers/perf_events.hpp"

namespace gable::kmaf::live {

class Userfault {
 public:
  /// Takes a descriptor over.
  explicit Userfault(Descriptor fd) : fd_(std::move(fd)) {}
  /// Of this process; `error` is an errno where there is none to be had. Faults by the kernel, in system
  /// calls, wait as well.
  static std::optional<Userfault> open_here(int& error);

  /// Once, before anything else: 0 or errno; EOPNOTSUPP where the kernel cannot protect from writes, or tell
  /// by whom and which byte, or is no Linux 5.19 yet.
  int begin();

  // Each of these gives 0 or errno: ESRCH when the process has ended or runs another program.
  /// Pages from `begin` to `end` may be protected from now on.
  int watch(std::uint64_t begin, std::uint64_t end);
  /// Pages that are not in memory stay as they are. Within one mapping.
  int protect(std::uint64_t begin, std::uint64_t end);
  /// They may be written again, and whoever waits for one goes on.
  int release(std::uint64_t begin, std::uint64_t end);
  /// Whoever waits for these pages goes on and looks again.
  int wake(std::uint64_t begin, std::uint64_t end);

  struct Fault {
    std::uint64_t address = 0;
    pid_t tid = 0;
  };
  /// The next that waits; empty: nobody does.
  std::optional<Fault> read();
  int descriptor() const { return fd_.get(); }

 private:
  int change(std::uint64_t begin, std::uint64_t end, std::uint64_t mode);
  Descriptor fd_;
};

/// What a sample costs here: a page of this process's own is protected, written, released and the writer
/// woken.
struct UserfaultTrial {
  int error = 0;       ///< errno of what the kernel refuses
  bool right = false;  ///< all writes were seen, each with its thread and byte
  double seconds = 0;  ///< of one, the median
};
UserfaultTrial try_userfault();

}  // namespace gable::kmaf::live
