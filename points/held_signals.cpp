#include "points/held_signals.hpp"

#include <algorithm>

namespace gable::points {

HeldSignals::HeldSignals() {
  sigemptyset(&held_);
  for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT}) sigaddset(&held_, number);
  pthread_sigmask(SIG_BLOCK, &held_, &before_);
}

HeldSignals::~HeldSignals() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int HeldSignals::wait(std::chrono::nanoseconds time) const {
  const timespec most = {0, time.count()};
  return std::max(0, sigtimedwait(&held_, nullptr, &most));
}

}  // namespace gable::points
