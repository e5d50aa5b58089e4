#pragma once

// The graph of gable place: had as it was asked for, and called by one name, whatever it was asked as.

#include <string>

#include "bench/apps/graphs/graph.hpp"
#include "machines/host.hpp"

namespace gable::cli {

struct PlaceGraph {
  std::string source;  ///< a file, or what bench::generate_graph takes
  bool directed = false, undirected = false;
};

/// Reads or generates it and says on stderr what it is. Throws bench::GraphError, and UsageError where there
/// is too little memory.
bench::Graph read_graph(const PlaceGraph& asked, const machines::Host& host, bench::Crew& crew);

/// What it is called in records: the file's name or the recipe, with "-directed" or "-undirected" where it is
/// something else than by itself. So one name is one graph of a file, and one graph has one name.
std::string graph_name(const PlaceGraph& asked, const bench::Graph& graph);

/// Whether records of `name` are of this source in one direction or another.
bool is_graph_of(const std::string& name, const std::string& source);

/// Throws UsageError where placements.jsonl at `path` has placements of another graph of this name.
void require_same_graph(const std::string& path, const std::string& name, const bench::Graph& graph);

}  // namespace gable::cli
