#pragma once

// The clocks of events and CPU accounts.

namespace gable::kmaf::live {

/// Seconds of CLOCK_MONOTONIC, as in Event.
double monotonic_seconds();

/// CPU seconds of the calling thread.
double thread_seconds();

}  // namespace gable::kmaf::live
