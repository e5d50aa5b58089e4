#pragma once

// Signals that would end this process, which has something to clean up first.

#include <signal.h>

#include <chrono>

namespace gable::points {

/// While this lives, SIGTERM, SIGHUP, SIGINT and SIGQUIT wait until they are asked for. Other threads must
/// not run.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Waits for so long, at most a second, or for a signal. Returns its number; 0: there was none.
  int wait(std::chrono::nanoseconds time) const;

 private:
  sigset_t held_ = {}, before_ = {};
};

}  // namespace gable::points
