#pragma once

// Runs a program and reports how it ended.

#include <cstdint>
#include <string>
#include <vector>

namespace gable::points {

/// The file that a shell would run. Throws Error::program: status 127 if there is none, 126 if it is not
/// executable.
std::string find_program(const std::string& name);

/// Why the program gets more rights than its caller: "is setuid or setgid", "has file capabilities"; else
/// empty. The kernel does not let tools and counters observe such a program.
std::string privileges_of(const std::string& file);

/// What the kernel says of a program and its children that were waited for.
struct Usage {
  double user_seconds = 0, kernel_seconds = 0;  ///< CPU time
  double page_faults = 0;

  Usage& operator+=(const Usage& other);
};

/// The largest resident size of one process of a program, without hugetlb pages.
struct Peak {
  std::uint64_t bytes = 0;       ///< at most this, by the kernel's own count; 0: not known
  std::uint64_t copy_bytes = 0;  ///< what `bytes` would be of any smaller program, as in Started
};

struct Ending {
  int pid = 0;
  int status = 0;      ///< as in a shell: exit status, or 128 + signal
  int signal = 0;      ///< the signal that killed it; 0: none
  double seconds = 0;  ///< wall clock, from just before the start until just after the end
  Usage usage = {};
  Peak peak = {};
};

/// Runs `command` (its first word is searched as by a shell) and waits for its end. It inherits descriptors
/// and directory; `environment` ("NAME=value") is added to the inherited environment or replaces parts of it.
/// Meanwhile Ctrl-C reaches the program but not the caller; SIGTERM and SIGHUP to the caller are passed on to
/// the program. Throws Error::program if the program cannot be started.
Ending run(const std::vector<std::string>& command, const std::vector<std::string>& environment);

/// "ended with exit status 3", "was killed by signal 11 (Segmentation fault)"
std::string in_words(const Ending& ending);

/// Throws Error::program unless the program ended with status 0.
void require_success(const std::string& program, const Ending& ending);

}  // namespace gable::points
