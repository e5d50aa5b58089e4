#pragma once

// The memory that control groups leave to this process.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace gable::machines {

struct MemoryLimit {
  std::uint64_t bytes = 0;  ///< the limit
  std::uint64_t left = 0;   ///< the unused part of it; page cache that can be dropped counts as unused
};

/// The smallest memory limit (`bytes`) and the smallest rest (`left`) over the process's group and all groups
/// above it, version 1 and 2, below `root`.
std::optional<MemoryLimit> memory_limit(const std::filesystem::path& root);

}  // namespace gable::machines
