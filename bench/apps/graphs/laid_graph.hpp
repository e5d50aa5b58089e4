#pragma once

// A graph's rows in memory that the caller provides.

#include <cstddef>
#include <span>

#include "bench/apps/graphs/graph.hpp"

namespace gable::bench {

class LaidGraph {
 public:
  LaidGraph() = default;
  /// Copies the rows into `memory` of at least bytes(graph), page-aligned, with all threads.
  LaidGraph(const Graph& graph, std::span<std::byte> memory, Crew& crew);

  static std::uint64_t bytes(const Graph& graph);
  const GraphView& view() const { return view_; }

 private:
  GraphView view_;
};

/// The bytes of the 4 KiB pages that hold so many.
constexpr std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + 4095) / 4096 * 4096;
}

/// Writes to every page, with all threads.
void touch(std::span<std::byte> memory, Crew& crew);

}  // namespace gable::bench
