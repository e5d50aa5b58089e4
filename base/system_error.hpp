#pragma once

// Failed system calls as exceptions.

#include <cerrno>
#include <string>
#include <system_error>

namespace gable {

/// Throws std::system_error with `error`, by default errno.
[[noreturn]] inline void fail(const std::string& what, int error = errno) {
  throw std::system_error(error, std::generic_category(), what);
}

}  // namespace gable
