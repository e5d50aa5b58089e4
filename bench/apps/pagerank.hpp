#pragma once

// PageRank as a product of the graph's matrix with Z ranks at once (PMEM graph thesis, section 3.1):
//   PR(v, 0) = 1/|V|,  PR(v, t+1) = (1-d)/|V| + d * sum over in-neighbours u of PR(u, t) / outdegree(u)
// with a damping factor d for each of the Z ranks. Rank that reaches a vertex without out-edges is gone.

#include <span>
#include <string>
#include <vector>

#include "bench/apps/graphs/graph.hpp"
#include "bench/threads/crew.hpp"

namespace gable::bench {

inline constexpr std::size_t most_ranks = 64;

/// The content of a vector: the same rank of several neighbours, or several ranks of one neighbour.
enum class RankVector { neighbours, ranks };

struct RankTask {
  std::vector<float> damping;  ///< one for each rank: 1 to most_ranks, each in [0, 1)
  int iterations = 100;        ///< at least 1
  RankVector vector = RankVector::ranks;
  std::string isa;                  ///< of kernels::isas(); this CPU must run it
  std::span<const Rows> in_blocks;  ///< the in-rows cut by columns (column_blocks.hpp); empty: in one piece
};

/// Whether the graph and the number of ranks permit it: gathers use 31-bit indices, and SSE2 and NEON
/// have no gathers.
bool can_vectorize(const RankTask& task, Vertex vertices);

struct RankRun {
  double seconds = 0;              ///< of all iterations
  std::span<float> ranks, before;  ///< |V| x Z: PR(v, I), and PR(v, I-1) / outdegree(v) where v has one
};

/// Runs the task with the two matrices of |V| x Z floats (row v: the ranks of vertex v). The summation keeps
/// a relative accuracy of about 1e-6.
RankRun pagerank(const GraphView& graph, const RankTask& task, std::span<float> one, std::span<float> other,
                 Crew& crew);

}  // namespace gable::bench
