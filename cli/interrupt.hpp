#pragma once

// Ctrl-C or SIGTERM ends a command in an orderly way: complete results are kept, partial ones are removed,
// and gable prints a message. It then ends by that signal, so that a calling shell loop ends too.

#include <atomic>

namespace gable::cli {

/// Returns true after the first SIGINT or SIGTERM that follows the first call.
const std::atomic<bool>& stop_requested();

/// Ends this process by the signal that requested the stop, as if it had not been caught.
[[noreturn]] void end_by_signal();

/// Throws Error::interrupted if a stop was requested. For commands that keep no partial results.
void stop_if_requested();

}  // namespace gable::cli
