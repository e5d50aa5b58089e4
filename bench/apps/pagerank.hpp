#pragma once

// PageRank as a product of the graph's matrix with Z ranks at once (PMEM graph thesis, section 3.1):
//   PR(v, 0) = 1/|V|,  PR(v, t+1) = (1-d)/|V| + d * sum over in-neighbours u of PR(u, t) / outdegree(u)
// with a damping factor d for each of the Z ranks. Rank that reaches a vertex without out-edges is gone.

#include <span>
#include <string>
#include <vector>

#include "bench/apps/graphs/graph.hpp"
#include "bench/apps/sliced_rows.hpp"
#include "bench/threads/crew.hpp"

namespace gable::bench {

inline constexpr std::size_t most_ranks = 64;

/// What a loop sums at once: a rank of several neighbours, several ranks of a neighbour, or ranks of a
/// neighbour of each of several rows; `rows_ahead` also prefetches.
enum class RankVector { neighbours, ranks, rows, rows_ahead };

constexpr bool is_sliced(RankVector vector) {
  return vector == RankVector::rows || vector == RankVector::rows_ahead;
}

struct RankTask {
  std::vector<float> damping;  ///< one for each rank: 1 to most_ranks, each in [0, 1)
  int iterations = 100;        ///< at least 1
  RankVector vector = RankVector::ranks;
  std::string isa;  ///< of kernels::isas(); this CPU must run it
  Slices slices;    ///< the in-rows (sliced_rows.hpp); of RankVector::rows only
};

/// Whether the graph and the number of ranks permit it: gathers use 31-bit indices, SSE2 and NEON have no
/// gathers, and the ranks of a row must fit into a vector.
bool can_vectorize(const RankTask& task, Vertex vertices);

struct RankRun {
  double seconds = 0;              ///< of all iterations
  std::span<float> ranks, before;  ///< |V| x Z: PR(v, I), and PR(v, I-1) / outdegree(v) where v has one
};

/// Runs the task with the two matrices of (|V| + 1) x Z floats (row v: the ranks of vertex v; the last row:
/// zero). The summation keeps a relative accuracy of about 1e-6.
RankRun pagerank(const GraphView& graph, const RankTask& task, std::span<float> one, std::span<float> other,
                 Crew& crew);

}  // namespace gable::bench
