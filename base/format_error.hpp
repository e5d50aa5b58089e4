#pragma once

// Files whose content is not what it should be.

#include <stdexcept>

namespace gable {

/// A file that is not what it should be; the message starts with "file:line: ".
struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace gable
