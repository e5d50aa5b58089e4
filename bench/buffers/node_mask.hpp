#pragma once

// Sets of memory nodes in the form of the kernel's memory policies.

#include <algorithm>
#include <vector>

namespace gable::bench {

/// A bit for each node, by os index; wide enough for the largest.
inline std::vector<unsigned long> node_mask(const std::vector<unsigned>& nodes) {
  constexpr unsigned bits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> mask(*std::ranges::max_element(nodes) / bits + 1);
  for (const unsigned node : nodes) mask[node / bits] |= 1ul << (node % bits);
  return mask;
}

/// The size of the mask to pass to the kernel, which reads one bit less than this.
inline unsigned long mask_bits(const std::vector<unsigned long>& mask) {
  return mask.size() * 8 * sizeof(unsigned long) + 1;
}

}  // namespace gable::bench
