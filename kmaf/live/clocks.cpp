#include "kmaf/live/clocks.hpp"

#include <time.h>

namespace gable::kmaf::live {

namespace {

double seconds_of_clock(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double monotonic_seconds() {
  return seconds_of_clock(CLOCK_MONOTONIC);
}

double thread_seconds() {
  return seconds_of_clock(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace gable::kmaf::live
