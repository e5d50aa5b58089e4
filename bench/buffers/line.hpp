#pragma once

// The cache lines of this machine.

#include <cstddef>
#include <filesystem>

namespace gable::bench {

/// Bytes of the largest cache line that Linux (sysfs below `root`) or the CPU reports, a power of two:
/// accesses this far apart are in different lines of every cache. 64 where neither reports one.
std::size_t line_bytes(const std::filesystem::path& root = "/");

}  // namespace gable::bench
