#pragma once

// The kernel's clocks and accounts in seconds.

#include <sys/time.h>
#include <time.h>

namespace gable {

inline double timeval_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

inline double seconds_of_clock(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double monotonic_seconds() {
  return seconds_of_clock(CLOCK_MONOTONIC);
}

/// The seconds that `work` takes.
double timed(const auto& work) {
  const double begin = monotonic_seconds();
  work();
  return monotonic_seconds() - begin;
}

/// CPU seconds of the calling thread.
inline double thread_seconds() {
  return seconds_of_clock(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace gable
