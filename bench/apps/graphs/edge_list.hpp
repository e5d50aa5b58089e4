#pragma once

// A list of edges whose memory can be reused for the rows built from it.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/apps/graphs/graph.hpp"

namespace gable::bench {

/// One entry of an edge list.
struct Edge {
  Vertex from, to;
};

/// A part of an edge list that one thread fills.
struct EdgePiece {
  Edge* edges = nullptr;
  std::size_t used = 0;

  std::span<Edge> list() const { return {edges, used}; }
};

/// Grows piece by piece in one reserved address range, so that existing edges never move. Throws
/// std::bad_alloc.
class EdgeList {
 public:
  static constexpr std::size_t piece_edges = 1u << 20;

  EdgeList() = default;
  /// Reserves room for `most` edges written by up to `writers` threads. Unwritten parts take no memory.
  EdgeList(std::uint64_t most, std::size_t writers);
  EdgeList(EdgeList&& other) noexcept { *this = std::move(other); }
  EdgeList& operator=(EdgeList&& other) noexcept;

  /// Memory for piece_edges edges. May be called by any number of threads.
  Edge* room();
  /// Adds the written edges to the list. One thread at a time.
  void add(EdgePiece piece) { pieces_.push_back(piece); }

  /// Ends the list and releases unused address space.
  void close();

  std::span<const EdgePiece> pieces() const { return pieces_; }
  std::uint64_t edges() const;

  /// Takes the memory of the list, at least 8 bytes per edge, when the edges are no longer needed.
  std::span<Vertex> spare() const;
  /// The same memory, which stays with the list.
  Array<Vertex> memory() &&;

 private:
  Array<Edge> space_;  ///< address space whose first `rooms_` pieces are usable
  std::atomic<std::size_t> rooms_{0};
  std::vector<EdgePiece> pieces_;
};

}  // namespace gable::bench
