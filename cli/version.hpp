#pragma once

// What `gable --version` prints.

#include <string>

namespace gable::cli {

/// The version in the first line; then the compiler, the ISAs of the kernels, and what was built in and what
/// was not. It depends on the build alone, not on the machine or on what is installed.
std::string version_text();

}  // namespace gable::cli
