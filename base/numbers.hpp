#pragma once

// Constants and conversions for numbers that all folders use.

#include <cstddef>
#include <cstdint>

namespace gable {

inline constexpr std::uint64_t KiB = 1ull << 10, MiB = 1ull << 20, GiB = 1ull << 30;  ///< in bytes

/// A non-negative number as the index of a container.
constexpr std::size_t index(int number) {
  return static_cast<std::size_t>(number);
}

}  // namespace gable
