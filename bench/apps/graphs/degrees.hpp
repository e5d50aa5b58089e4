#pragma once

// How many edges vertices have, from a list of edges.

#include "bench/apps/graphs/edge_list.hpp"

namespace gable::bench {

/// How often each of the vertices is named: as the begin of an edge and, with `both_ends`, as the end of one
/// that is no self-loop.
Array<Vertex> count_ends(const EdgeList& edges, std::size_t vertices, bool both_ends, Crew& crew);

}  // namespace gable::bench
