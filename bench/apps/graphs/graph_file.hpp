#pragma once

// Graphs from files: edge lists as SNAP gives them, Matrix Market, GAP's .sg; each may be a gzip.

#include <optional>
#include <string>

#include "bench/apps/graphs/graph.hpp"

namespace gable::bench {

/// Reads the file with all threads of the crew. What it is shows by its first bytes (Matrix Market) and its
/// name (".sg", ".sg.gz"); all else is an edge list. `directed` overrides what the file says; an edge list
/// that says nothing is undirected. Vertices are those that the edges name, or as many as the header says.
/// Throws GraphError.
Graph read_graph(const std::string& path, std::optional<bool> directed, Crew& crew);

}  // namespace gable::bench
