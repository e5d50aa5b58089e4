#pragma once

// A list of edges whose memory the rows made from it can take over.

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

/// Grows by pieces, so that adding never moves what is there, in one stretch of address space. Throws
/// std::bad_alloc.
class EdgeList {
 public:
  static constexpr std::size_t piece_edges = 1u << 20;

  EdgeList() = default;
  /// Room for `most` edges that up to `writers` threads put there. What is not written takes no memory.
  EdgeList(std::uint64_t most, std::size_t writers);
  EdgeList(EdgeList&& other) noexcept { *this = std::move(other); }
  EdgeList& operator=(EdgeList&& other) noexcept;

  /// Memory for piece_edges edges. For any number of threads.
  Edge* room();
  /// What was written there belongs to the list now. For one thread at a time.
  void add(EdgePiece piece) { pieces_.push_back(piece); }

  /// Nothing more comes: gives back the address space that was not used.
  void close();

  std::span<const EdgePiece> pieces() const { return pieces_; }
  std::uint64_t edges() const;

  /// Its memory, 8 bytes an edge at least, when the edges are not needed any more.
  std::span<Vertex> spare() const;
  /// The same, for others to keep.
  Array<Vertex> memory() &&;

 private:
  Array<Edge> space_;  ///< address space, of which the first `rooms_` pieces can be used
  std::atomic<std::size_t> rooms_{0};
  std::vector<EdgePiece> pieces_;
};

}  // namespace gable::bench
