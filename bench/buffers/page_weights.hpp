#pragma once

// Pages that go to several nodes by weights (Linux 6.9's weighted interleave), on any kernel: no range can be
// bound so, but a thread can say of every page that it touches first where it goes.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gable::bench {

/// Pages go to the nodes by turns, weights[i] of them to nodes[i], from `begin` on.
struct WeightedRange {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;  ///< whole pages
  std::vector<unsigned> nodes;
  std::vector<unsigned> weights;
};

/// Calls `act` with every stretch of pages that lie together on one node, in order, while what this thread
/// touches first goes to that node; then its memory policy is as before.
/// The pages stay where they are, whatever the kernel would balance.
void by_weights(const WeightedRange& range, std::size_t page_bytes,
                const std::function<void(std::byte* begin, std::size_t bytes)>& act);

/// Why this thread may not say where its pages go; empty where it may.
std::string no_thread_policy(unsigned node);

}  // namespace gable::bench
