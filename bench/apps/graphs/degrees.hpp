#pragma once

// How many edges vertices have, from a list of edges.

#include "bench/apps/graphs/edge_list.hpp"

namespace gable::bench {

enum class Ends { from, to, both };

/// How often edges name each of the vertices at these ends; a self-loop counts once.
Array<Vertex> count_ends(const EdgeList& edges, std::size_t vertices, Ends ends, Crew& crew);

}  // namespace gable::bench
