#pragma once

// How a command ends without success. main turns each of these into a message and an exit status.

#include <stdexcept>
#include <string>

namespace gable::cli {

/// Wrong usage or bad input, exit status 2. The message names the file, line or option at fault and the
/// remedy.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command ends with the exit status of a program that it ran, without a further message.
struct ProgramEnded : std::runtime_error {
  explicit ProgramEnded(int exit_status)
      : std::runtime_error("the program ended with exit status " + std::to_string(exit_status)),
        status(exit_status) {}
  int status;
};

}  // namespace gable::cli
