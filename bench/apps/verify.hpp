#pragma once

// Verifies every result of a workload with another algorithm, serially and in ordinary memory.

#include <cstdint>
#include <span>
#include <string>

#include "bench/apps/graphs/graph.hpp"
#include "bench/apps/pagerank.hpp"

namespace gable::bench {

/// The verdict; `fault` is empty if the result is right.
struct Verdict {
  std::string method;  ///< "serial push over 100 iterations", ...
  std::string fault;   ///< the first wrong vertex, and what is wrong
};

/// Verifies the ranks of column `rank` by pushing in double precision: all iterations if these use at most
/// `most_edges` edges, otherwise the last one from the ranks before it. The relative tolerance is 1e-4.
Verdict verify_pagerank(const GraphView& graph, const RankTask& task, const RankRun& run, std::size_t rank,
                        std::uint64_t most_edges = 300'000'000);

/// Verifies the depths of a search: the source has 0, every other reached vertex has an in-neighbour one
/// level above (its parent), no edge leads more than one level down, and no edge leads from a reached vertex
/// to an unreached one.
Verdict verify_bfs(const GraphView& graph, Vertex source, std::span<const std::int32_t> depth);

}  // namespace gable::bench
