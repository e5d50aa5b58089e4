#pragma once

// Files with invalid content.

#include <stdexcept>

namespace gable {

/// A file with invalid content; the message starts with "file:line: ".
struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace gable
