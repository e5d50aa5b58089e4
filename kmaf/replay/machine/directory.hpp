#pragma once

// The directory of a node's L2 caches is a word that the simulated L3 stores with each line. A machine
// without an L3 has a separate directory, like the tag directory of Knights Landing. It contains the lines
// that at least one L2 of the node holds.

#include <cstdint>

#include "kmaf/replay/machine/caches.hpp"

namespace gable::kmaf {

// The word of a line has a bit for each L2 of the node that may hold the line. Above these bits it has the
// number + 1 of the L2 whose cores may write the line without a request, or 0 if there is none. With an L3,
// an L2 that dropped the line keeps its bit; without an L3, the bits are exact.
inline constexpr int owner_shift = 56;
inline constexpr std::uint64_t l2_mask = (std::uint64_t{1} << owner_shift) - 1;

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
