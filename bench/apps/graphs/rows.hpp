#pragma once

// Builds rows from a list of edges, with all threads and little additional memory.

#include <cstdint>

#include "bench/apps/graphs/edge_list.hpp"

namespace gable::bench {

/// Rows that own their memory; each is ascending and without duplicates.
struct OwnedRows {
  Array<std::uint64_t> offsets;  ///< one more than rows
  Array<Vertex> neighbours;

  std::size_t size() const { return offsets.size() - 1; }
};

/// Row v contains the ends of the edges from v, where vertex v is number[v]; of an undirected edge, the row
/// of the lower end contains the higher one. Afterwards only the memory of the list can be used.
OwnedRows rows_of(EdgeList& edges, const Array<Vertex>& number, bool directed, Crew& crew);

/// The transposed rows: row v contains the rows that contain v. The result is built in `memory`, which has at
/// least as many entries as `rows`.
OwnedRows transpose(const OwnedRows& rows, Array<Vertex> memory, Crew& crew);

/// Takes rows that contain every undirected edge once, in the row of its lower end, and returns rows with
/// every edge from both ends, and a self-loop once. The result is built in `memory`, which has at least twice
/// as many entries as `half`.
OwnedRows both_sides(OwnedRows half, Array<Vertex> memory, Crew& crew);

/// The number of rows that contain themselves.
std::uint64_t count_self_loops(const OwnedRows& rows, Crew& crew);

}  // namespace gable::bench
