#pragma once

// Files without a name, for what is too large for memory.

#include <cstdint>

#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

/// An empty file in $TMPDIR or /tmp, which disappears when it is closed. Throws std::system_error.
File temporary_file();

/// Reads `bytes` at `offset` of what was written and flushed. Several threads may read at once. Throws
/// std::system_error.
void read_at(const File& file, void* to, std::size_t bytes, std::uint64_t offset);

}  // namespace gable::kmaf
