#pragma once

// A graph in memory: compressed sparse rows of out-edges and of in-edges.

#include <cstdint>
#include <span>

#include "bench/apps/graphs/array.hpp"
#include "bench/threads/crew.hpp"

namespace gable::bench {

using Vertex = std::uint32_t;
class EdgeList;

/// Vertex v's neighbours are neighbours[offsets[v] .. offsets[v + 1]), ascending.
struct Rows {
  std::span<const std::uint64_t> offsets;  ///< one more than vertices
  std::span<const Vertex> neighbours;

  std::uint64_t degree(Vertex v) const { return offsets[v + 1] - offsets[v]; }
  std::span<const Vertex> of(Vertex v) const { return neighbours.subspan(offsets[v], degree(v)); }
};

/// The part of a graph that algorithms read, in any memory. For an undirected graph `in` and `out` are the
/// same rows, which contain every edge from both sides (a self-loop once).
struct GraphView {
  Rows out, in;

  Vertex vertices() const { return static_cast<Vertex>(out.offsets.size() - 1); }
};

/// Vertices are numbered by descending out-degree: frequently read data is close together, the first
/// neighbours in a row are the best connected ones, and vertices without edges come last. If the file already
/// puts neighbours close together, its order is kept, and only each 4096 vertices are sorted, by in-degree.
/// `ids` gives the vertex's name in the file.
struct Graph {
  Array<std::uint64_t> out_offsets, in_offsets;  ///< in_* are empty when undirected
  Array<Vertex> out_neighbours, in_neighbours;
  Array<std::uint64_t> ids;
  bool directed = false;
  bool directed_by_itself = false;  ///< the direction according to its file or recipe
  std::uint64_t edges = 0;          ///< without duplicates; undirected: {u, v} counts once
  std::uint64_t self_loops = 0;     ///< among them
  std::uint64_t duplicates = 0;     ///< lines or entries that repeat an edge; they are left out

  Vertex vertices() const { return static_cast<Vertex>(ids.size()); }
  GraphView view() const;
  std::uint64_t bytes() const;  ///< of the rows
};

/// Builds the graph of edges between vertices 0 ... ids.size() - 1, whose names are in `ids`. Consumes
/// `edges`. Needs at most twice the memory of the resulting rows.
Graph build_graph(EdgeList edges, Array<std::uint64_t> ids, bool directed, Crew& crew);

}  // namespace gable::bench
