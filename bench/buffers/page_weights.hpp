#pragma once

// Pages that go to several nodes by weights (as in Linux 6.9's weighted interleave), on any kernel. A range
// cannot be bound by weights, but a thread can choose the node of every page that it touches first.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "machines/affinity.hpp"

namespace gable::bench {

// Sets of memory nodes in the form of the kernel's memory policies.

/// A bit for each node, by os index; wide enough for the largest.
inline machines::BitMask node_mask(const std::vector<unsigned>& nodes) {
  return machines::bit_mask(nodes, *std::ranges::max_element(nodes) + 1);
}

/// The size of the mask to pass to the kernel, which reads one bit less than this.
inline unsigned long mask_bits(const machines::BitMask& mask) {
  return mask.size() * 8 * sizeof(unsigned long) + 1;
}

/// Pages are distributed from `begin` on: weights[i] of them to nodes[i], in turn.
struct WeightedRange {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;  ///< whole pages
  std::vector<unsigned> nodes;
  std::vector<unsigned> weights;
};

/// Calls `act` in order for every stretch of pages on the same node, while first touches of this thread go to
/// that node. Afterwards the thread has its previous memory policy. The kernel's NUMA balancing does not move
/// these pages.
void by_weights(const WeightedRange& range, std::size_t page_bytes,
                const std::function<void(std::byte* begin, std::size_t bytes)>& act);

/// Why this thread cannot choose the node of its pages; empty if it can.
std::string no_thread_policy(unsigned node);

}  // namespace gable::bench
