#pragma once

// Time as events and accounts have it.

namespace gable::kmaf::live {

/// Seconds of CLOCK_MONOTONIC, as in Event.
double monotonic_seconds();

/// CPU seconds of the thread that calls.
double thread_seconds();

}  // namespace gable::kmaf::live
