#pragma once

// The signals of this process that reach a program instead.

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <utility>

namespace gable {

/// As long as it exists, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 go to the receiver; those that
/// come before it is known wait for it. What this process ignores, it ignores further, and SIGCHLD has its
/// default effect, without which the program's exit status would be lost. One at a time.
class PassedSignals {
 public:
  PassedSignals();
  ~PassedSignals();
  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;

  /// 0: none any more.
  void go_to(pid_t receiver);

 private:
  std::array<std::pair<int, struct sigaction>, 7> before_ = {};
};

/// Gives signals with a handler their default effect in a new process, and SIGPIPE the one that Gable
/// inherited. Neither allocates nor locks.
void reset_signals();

}  // namespace gable
