#pragma once

// Ctrl-C ends a measurement in good order.

#include <atomic>

namespace gable::cli {

/// True from the first SIGINT or SIGTERM on, once this was called.
const std::atomic<bool>& stop_requested();

}  // namespace gable::cli
