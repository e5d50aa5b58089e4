#pragma once

// From a list of edges to rows, with all threads and little memory beside them.

#include <cstdint>

#include "bench/apps/graphs/edge_list.hpp"

namespace gable::bench {

/// Rows that own their memory; each ascending, and none of its entries twice.
struct OwnedRows {
  Array<std::uint64_t> offsets;  ///< one more than rows
  Array<Vertex> neighbours;

  std::size_t size() const { return offsets.size() - 1; }
};

/// Row v holds the ends of the edges from v, where vertex v is number[v]; of undirected edges the higher end
/// in the row of the lower one. The list holds nothing of use afterwards, but its memory.
OwnedRows rows_of(EdgeList& edges, const Array<Vertex>& number, bool directed, Crew& crew);

/// Row v holds the rows that hold v. `memory` holds what comes out: at least as many entries as `rows` has.
OwnedRows transpose(const OwnedRows& rows, Array<Vertex> memory, Crew& crew);

/// Of rows that hold every undirected edge once, in the row of its lower end: every edge from both ends, a
/// self-loop once. `memory` holds what comes out: at least twice as many entries as `half` has.
OwnedRows both_sides(OwnedRows half, Array<Vertex> memory, Crew& crew);

/// Rows that hold themselves.
std::uint64_t count_self_loops(const OwnedRows& rows, Crew& crew);

}  // namespace gable::bench
