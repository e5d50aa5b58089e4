#pragma once

// Starts a program, such that the kernel's record of its largest size is its own.

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gable::points {

inline constexpr int cannot_run = 126;  ///< the exit status, as in POSIX shells

struct Started {
  pid_t pid = 0;
  double at = 0;  ///< monotonic_seconds(), just before the program replaced the copy of this process
  /// Resident size of that copy. The kernel keeps the largest size of a process over its programs, so that of
  /// a smaller program cannot be told.
  std::uint64_t copy_bytes = 0;
};

/// Starts `file` with the arguments `command` and the whole `environment`. Signals that this process handles
/// have their default effect in it; ignored ones stay ignored. Throws Error::program if it cannot be started.
Started start(const std::string& file, std::vector<std::string> command,
              std::vector<std::string> environment);

}  // namespace gable::points
