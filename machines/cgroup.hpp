#pragma once

// What memory the control groups leave to this process.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace gable::machines {

struct MemoryLimit {
  std::uint64_t bytes = 0;  ///< the limit
  std::uint64_t left = 0;   ///< what of it is not used; page cache that can go counts as left
};

/// The tightest memory limit (`bytes`) and the least that is left (`left`) over the process's group and all
/// above it, version 1 and 2, below `root`.
std::optional<MemoryLimit> memory_limit(const std::filesystem::path& root);

}  // namespace gable::machines
