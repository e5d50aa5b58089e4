#pragma once

// The directory word that the simulated L3 stores with a line.

#include <cstdint>

#include "kmaf/replay/machine/caches.hpp"

namespace gable::kmaf {

// The word of a line in the L3: a bit for each core of the node that may have the line, and above them the
// number + 1 of the core that may write it without a request; 0: none. A core that dropped the line keeps its
// bit.
inline constexpr int owner_shift = 56;
inline constexpr std::uint64_t cores_mask = (std::uint64_t{1} << owner_shift) - 1;

inline int owner_of(const Cache::Entry& entry) {
  return static_cast<int>(entry.word >> owner_shift) - 1;
}
inline std::uint64_t bit_of(int number) {
  return std::uint64_t{1} << number;
}
inline std::uint64_t owned_by(int number) {
  return static_cast<std::uint64_t>(number + 1) << owner_shift | bit_of(number);
}

}  // namespace gable::kmaf
