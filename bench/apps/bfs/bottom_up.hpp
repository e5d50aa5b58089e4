#pragma once

// The bitmaps of a search, word by word: what bottom-up levels do.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "bench/apps/bfs/bfs.hpp"

namespace gable::bench {

/// Vertices of one word that are visited, and those that the last level visited.
struct BfsWord {
  std::uint64_t visited = 0, front = 0;
};

class BfsBottomUp {
 public:
  // Vertices without in-edges come last in an undirected graph; bottom-up levels skip them.
  BfsBottomUp(const GraphView& graph, const BfsScratch& scratch) : rows_(graph.in), scratch_(scratch) {
    const auto last = std::ranges::lower_bound(rows_.offsets, rows_.offsets.back());
    vertices_ = static_cast<std::uint64_t>(last - rows_.offsets.begin());
  }

  /// Vertices behind these have no in-edges.
  std::uint64_t vertices() const { return vertices_; }
  std::uint64_t words() const { return (vertices_ + 63) / 64; }

  /// Searches the frontier for a neighbour of each unvisited vertex of a word; returns those that have one.
  std::uint64_t look_up(std::span<const std::uint64_t> front, std::uint64_t word, std::int32_t level) const {
    std::uint64_t left = ~scratch_.visited[word];
    if (word == vertices_ / 64) left &= (std::uint64_t{1} << vertices_ % 64) - 1;
    if (left == 0) return 0;
    std::uint64_t found = first_neighbours(front, word, left);
    for (left &= ~found; left != 0; left &= left - 1) {
      if (has_neighbour(front, vertex(word, left))) found |= left & -left;
    }
    for (std::uint64_t some = found; some != 0; some &= some - 1) scratch_.depth[vertex(word, some)] = level;
    scratch_.visited[word] |= found;
    return found;
  }

  /// According to the depths, when that of the last level is `level`.
  BfsWord read(std::uint64_t word, std::int32_t level) const {
    const std::span<const std::int32_t> depth(scratch_.depth);
    const std::uint64_t begin = word * 64, count = std::min<std::uint64_t>(64, depth.size() - begin);
    BfsWord bits;
    if (count == 64) {
      const BfsWord low = read_half(&depth[begin], level), high = read_half(&depth[begin + 32], level);
      return {low.visited | high.visited << 32, low.front | high.front << 32};
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      bits.visited |= std::uint64_t{depth[begin + i] >= 0} << i;
      bits.front |= std::uint64_t{depth[begin + i] == level} << i;
    }
    return bits;
  }

 private:
  static Vertex vertex(std::uint64_t word, std::uint64_t bits) {
    return static_cast<Vertex>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }

  static std::uint64_t bit(std::span<const std::uint64_t> bits, Vertex v) {
    return bits[v / 64] >> v % 64 & 1;
  }

  // Those whose first neighbour is in the frontier, which is the best connected one: many. Without a branch.
  std::uint64_t first_neighbours(std::span<const std::uint64_t> front, std::uint64_t word,
                                 std::uint64_t left) const {
    std::uint64_t found = 0;
    for (; left != 0; left &= left - 1) {
      const Vertex v = vertex(word, left);
      const std::uint64_t first = rows_.offsets[v];
      const std::uint64_t is_there = rows_.offsets[v + 1] > first;
      found |= (bit(front, rows_.neighbours[first]) & is_there) << v % 64;
    }
    return found;
  }

  // Apart from the first one.
  bool has_neighbour(std::span<const std::uint64_t> front, Vertex v) const {
    for (std::uint64_t i = rows_.offsets[v] + 1; i < rows_.offsets[v + 1]; ++i) {
      if (bit(front, rows_.neighbours[i]) != 0) return true;
    }
    return false;
  }

  // 32 vertices, 4 at a time: lane i of the k-th four makes bit 4 k + i.
  static BfsWord read_half(const std::int32_t* depth, std::int32_t level) {
    using Depths = std::int32_t __attribute__((vector_size(16)));
    using Bits = std::uint32_t __attribute__((vector_size(16)));
    Bits visited{}, front{}, place{1, 2, 4, 8};
    for (int k = 0; k < 8; ++k) {
      Depths four;
      std::memcpy(&four, depth + 4 * k, sizeof four);
      visited |= reinterpret_cast<Bits>(four >= 0) & place;
      front |= reinterpret_cast<Bits>(four == level) & place;
      place <<= 4;
    }
    return {visited[0] | visited[1] | visited[2] | visited[3], front[0] | front[1] | front[2] | front[3]};
  }

  Rows rows_;
  const BfsScratch& scratch_;
  std::uint64_t vertices_ = 0;
};

}  // namespace gable::bench
