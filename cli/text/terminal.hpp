#pragma once

// The terminal that a text is for.

#include <cstddef>
#include <optional>

namespace gable::cli {

/// The columns of the terminal behind this file descriptor; nothing where it is none, or does not tell.
std::optional<std::size_t> terminal_columns(int descriptor);

}  // namespace gable::cli
