#pragma once

// Graphs from files: edge lists as in SNAP, Matrix Market, GAP's .sg; each may be compressed by gzip.

#include <optional>
#include <string>

#include "bench/apps/graphs/graph.hpp"

namespace gable::bench {

/// Reads the file with all threads of the crew. The format is recognized by the first bytes (Matrix Market)
/// or the name (".sg", ".sg.gz"); everything else is an edge list. `directed` overrides the file; an edge
/// list without a direction is undirected. The vertices are those in the edges, or as many as the header
/// states. Throws Error::format.
Graph read_graph(const std::string& path, std::optional<bool> directed, Crew& crew);

}  // namespace gable::bench
