#pragma once

// From a list of edges to rows, with all threads and little memory beside them.

#include <cstdint>
#include <vector>

#include "bench/apps/graph.hpp"

namespace gable::bench {

/// Rows that own their memory; each ascending, and none of its entries twice.
struct OwnedRows {
  Array<std::uint64_t> offsets;  ///< one more than rows
  Array<Vertex> neighbours;

  std::size_t size() const { return offsets.size() - 1; }
};

/// How often each of the vertices is named: as the begin of an edge and, with `both_ends`, as the end of one
/// that is no self-loop.
Array<Vertex> count_ends(const std::vector<EdgePiece>& edges, std::size_t vertices, bool both_ends,
                         Crew& crew);

/// Row v holds the ends of the edges from v. `edges` is used up, piece by piece.
OwnedRows rows_of(std::vector<EdgePiece> edges, std::size_t vertices, Crew& crew);

/// Row v holds the rows that hold v.
OwnedRows transpose(const OwnedRows& rows, Crew& crew);

/// Of rows that hold every undirected edge once, in the row of its lower end: every edge from both ends, a
/// self-loop once.
OwnedRows both_sides(const OwnedRows& half, Crew& crew);

/// Rows that hold themselves.
std::uint64_t count_self_loops(const OwnedRows& rows, Crew& crew);

}  // namespace gable::bench
