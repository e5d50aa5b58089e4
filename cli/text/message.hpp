#pragma once

// What a command says beside its results.

#include <string>

namespace gable::cli {

/// Prints "gable: TEXT" on standard error, with a newline: in lines that fit a terminal, unchanged into a
/// file or pipe. Control characters become "?". A standard error that cannot be written is no error.
void tell(const std::string& text);

}  // namespace gable::cli
