#pragma once

// What gable place runs with: the graph, the threads, and the memories for the data.

#include <string>
#include <vector>

#include "bench/apps/graphs/graph.hpp"
#include "bench/tiers/tier.hpp"
#include "machines/host.hpp"
#include "machines/machine.hpp"
#include "model/records/note.hpp"

namespace gable::cli {

/// The graph, which has a unique name in records.
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

/// One thread per core or per hardware thread.
struct PlaceTeam {
  bool smt = false;
  std::vector<unsigned> cpus;
  model::Note skip;  ///< why it cannot run; empty if it can
};

/// Throws Error::usage where the machine has no such cluster.
const machines::Cluster& own_cluster(const machines::Machine& machine, int cluster);

/// The requested teams: `smt` is "no", "yes" or "both" (one per core first); each of `threads`, where 0 is
/// the maximum. A number that needs SMT is left out for one thread per core. On a cluster whose cores have
/// one hardware thread, the team with SMT cannot run. Throws Error::usage for an unknown cluster and for too
/// many threads.
std::vector<PlaceTeam> place_teams(const machines::Machine& machine, int cluster,
                                   const std::vector<int>& threads, const std::string& smt);

/// The tiers named by --tiers, for the threads of `cluster`, or one for each kind of memory of the machine.
/// Throws Error::usage for an unknown tier, and for one that is named twice.
std::vector<bench::Tier> tiers_of(const machines::Machine& machine, std::vector<std::string> names,
                                  int cluster);

}  // namespace gable::cli
