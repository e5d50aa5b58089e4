#include "bench/plan/side_cache.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <set>

namespace gable::bench {

namespace {

std::uint64_t total_bytes(const model::Case& asked) {
  return asked.bytes * static_cast<std::uint64_t>(asked.threads);
}

bool contains(const std::vector<unsigned>& nodes, unsigned node) {
  return std::ranges::find(nodes, node) != nodes.end();
}

}  // namespace

std::string held_by_side_caches(const machines::Machine& machine, const Run& run) {
  std::set<int> clusters;
  std::uint64_t data = 0, caches = 0;
  for (const model::Case& asked : run.cases) {
    clusters.insert(asked.cluster);
    data += total_bytes(asked);
  }
  for (const machines::Node& node : machine.nodes) {
    const bool target = contains(run.shares.front().nodes, node.os_index);
    if (target && node.memory_side_cache_bytes == 0) return "";
    const bool own = std::ranges::any_of(node.local_to, [&](int it) { return clusters.contains(it); });
    if (target || own) caches += node.memory_side_cache_bytes;
  }
  if (data > caches) return "";
  return fmt::format(
      "the data of all clusters ({} MiB) fits in the memory-side caches ({} MiB), which would be measured "
      "instead",
      data >> 20, caches >> 20);
}

void note_side_caches(const machines::Machine& machine, const Share& share, const model::Case& asked,
                      std::vector<std::string>& notes) {
  for (const machines::Node& node : machine.nodes) {
    if (node.memory_side_cache_bytes == 0 || !contains(share.nodes, node.os_index)) continue;
    notes.push_back(fmt::format("node {} has a memory-side cache of {} MiB, which {} hold this working set",
                                node.os_index, node.memory_side_cache_bytes >> 20,
                                total_bytes(asked) <= node.memory_side_cache_bytes ? "can" : "cannot"));
  }
}

}  // namespace gable::bench
