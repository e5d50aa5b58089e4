#pragma once

// Ctrl-C, or SIGTERM, ends a command in good order: what is whole is kept, the rest is taken away, and gable
// says so and then ends by that signal, so that a loop of the shell's that called it ends too.

#include <atomic>
#include <stdexcept>

namespace gable::cli {

/// True from the first SIGINT or SIGTERM on, once this was called.
const std::atomic<bool>& stop_requested();

struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Ends this process by the signal that requested the stop, as if it had never been caught.
[[noreturn]] void end_by_signal();

/// Throws Interrupted once a stop was requested. For commands that keep nothing of what they had done.
void stop_if_requested();

}  // namespace gable::cli
