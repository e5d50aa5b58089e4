#pragma once

// Starts a program so that a sampler can attach before its first instruction, and waits for its end.

#include <signal.h>
#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gable::kmaf::live {

struct Ending {
  int status = 0;  ///< as in a shell: exit status, or 128 + signal
  int signal = 0;  ///< the signal that ended it; 0: none
  double seconds = 0;
  double cpu_seconds = 0;  ///< of the program and all it started, as far as known
};

/// While the object exists, signals from the terminal go only to the program, and termination signals from
/// other processes are forwarded to it, even before it starts.
class Program {
 public:
  /// Creates the process, which waits. `prepare` runs in it and may change what the program inherits. Throws
  /// std::system_error.
  Program(std::vector<std::string> command, const std::function<void()>& prepare);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  /// A descriptor that becomes readable when the program has ended; -1 if the kernel has none.
  int descriptor() const { return pidfd_; }

  /// Lets the program start. Throws std::system_error if it cannot be executed.
  void go();
  /// How it ended; empty while it runs. A stopped program counts as running.
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
