#pragma once

// Starts a program so that it can be looked at before its first instruction, and waits for its end.

#include <signal.h>
#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gable::kmaf::live {

struct Ending {
  int status = 0;  ///< as a shell says it: exit status, or 128 + signal
  int signal = 0;  ///< that ended it; 0: none
  double seconds = 0;
  double cpu_seconds = 0;  ///< of the program and all it started, as far as is known
};

/// While the object lives, signals that a terminal sends go to the program alone, and those by which another
/// process asks this one to end are passed on to it, whether it has begun or still waits.
class Program {
 public:
  /// Makes the process, which waits. `prepare` runs in it and may change what a program inherits. Throws
  /// std::system_error.
  Program(std::vector<std::string> command, const std::function<void()>& prepare);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  /// A descriptor that is readable when the program has ended; -1 where the kernel has none.
  int descriptor() const { return pidfd_; }

  /// Lets the program begin. Throws std::system_error when it cannot be executed.
  void go();
  /// How it ended; empty while it runs. A program that is stopped runs.
  std::optional<Ending> ended();

 private:
  [[noreturn]] void become(std::vector<std::string>& command, const std::function<void()>& prepare, int go,
                           int failed);
  void restore_signals(const sigset_t& usual);

  pid_t pid_ = 0;
  int pidfd_ = -1, go_ = -1, waits_ = -1, failed_ = -1;
  double began_ = 0;
  bool reaped_ = false;
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace gable::kmaf::live
