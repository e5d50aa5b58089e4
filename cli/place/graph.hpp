#pragma once

// The graph of gable place, and its unique name in records.

#include <string>

#include "bench/apps/graphs/graph.hpp"
#include "machines/host.hpp"

namespace gable::cli {

struct PlaceGraph {
  std::string source;  ///< a file, or a recipe for bench::generate_graph
  bool directed = false, undirected = false;
};

/// Reads or generates it and describes it on stderr. Throws Error::format, and Error::usage if there is
/// too little memory.
bench::Graph read_graph(const PlaceGraph& options, const machines::Host& host, bench::Crew& crew);

/// Its name in records: the file's name or the recipe, with "-directed" or "-undirected" if this differs from
/// the source's own direction. So each graph of a file has exactly one name.
std::string graph_name(const PlaceGraph& options, const bench::Graph& graph);

/// Whether records of `name` are of this source, directed or undirected.
bool is_graph_of(const std::string& name, const std::string& source);

/// Throws Error::usage if placements.jsonl at `path` has placements of a different graph with this name.
void require_same_graph(const std::string& path, const std::string& name, const bench::Graph& graph);

}  // namespace gable::cli
