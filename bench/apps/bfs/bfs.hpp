#pragma once

// Breadth-first search from one vertex to all that can be reached (PMEM graph thesis, section 3.2).

#include <array>
#include <cstdint>
#include <span>

#include "bench/apps/graphs/graph.hpp"
#include "bench/threads/crew.hpp"

namespace gable::bench {

/// Top-down: the frontier looks for unvisited neighbours. Bottom-up: unvisited vertices look for a neighbour
/// in the frontier. Optimizing: each level in the direction with fewer edges to examine.
enum class BfsDirection { top_down, bottom_up, optimizing };

/// When an optimizing search turns: to bottom-up once the frontier's edges exceed 1/alpha of the edges not
/// yet examined, back once a shrinking frontier is below 1/beta of the vertices and smaller than what is not
/// yet reached.
struct BfsSwitch {
  double alpha = 15;
  double beta = 18;
};

/// The temporary data of a search, of which `bytes` are needed.
struct BfsScratch {
  std::span<std::int32_t> depth;                 ///< one per vertex: the result; -1: not reached
  std::span<std::uint64_t> visited;              ///< one bit per vertex
  std::array<std::span<Vertex>, 2> queue;        ///< the frontier and the next one: the threads' own parts
  std::array<std::span<std::uint64_t>, 2> bits;  ///< the same as one bit per vertex

  /// A contiguous range of vertices in a thread's part.
  static constexpr std::uint64_t chunk = 1024;

  static std::uint64_t bytes(Vertex vertices, std::size_t threads);
  /// Cut from `memory` of that many bytes, 64-byte aligned.
  static BfsScratch in(std::span<std::byte> memory, Vertex vertices, std::size_t threads);
};

struct BfsRun {
  double seconds = 0;  ///< with the setting up of depths and bitmaps
  int levels = 0;
  int bottom_up_levels = 0;
};

BfsRun bfs(const GraphView& graph, Vertex source, BfsDirection direction, const BfsSwitch& turn,
           const BfsScratch& scratch, Crew& crew);

}  // namespace gable::bench
