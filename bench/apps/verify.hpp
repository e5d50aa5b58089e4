#pragma once

// Second opinions: every result of a workload is held against another algorithm. Serial, in plain memory.

#include <cstdint>
#include <span>
#include <string>

#include "bench/apps/graphs/graph.hpp"
#include "bench/apps/pagerank.hpp"

namespace gable::bench {

/// What was found: `fault` is empty when the result is right.
struct Verdict {
  std::string method;  ///< "serial push over 100 iterations", ...
  std::string fault;   ///< the first vertex that is wrong, and how
};

/// The ranks of column `rank`, by pushing in double precision: all iterations where these touch at most
/// `most_edges` edges, else the last one from what was there before it. Good to 1e-4, relative.
Verdict verify_pagerank(const GraphView& graph, const RankTask& task, const RankRun& run, std::size_t rank,
                        std::uint64_t most_edges = 300'000'000);

/// The depths of a search: the source has 0, every other reached vertex an in-neighbour one level up (a
/// parent), no edge leads more than one level down, and none from a reached vertex to one that is not.
Verdict verify_bfs(const GraphView& graph, Vertex source, std::span<const std::int32_t> depth);

}  // namespace gable::bench
