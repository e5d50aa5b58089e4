#include "bench/apps/verify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gable::bench {

namespace {

constexpr double tolerance = 1e-4;

// One iteration: every vertex distributes its rank over its out-edges.
void push(const GraphView& graph, double damping, const std::vector<double>& share,
          std::vector<double>& rank) {
  std::ranges::fill(rank, (1 - damping) / graph.vertices());
  for (Vertex u = 0; u < graph.vertices(); ++u) {
    for (const Vertex v : graph.out.of(u)) rank[v] += damping * share[u];
  }
}

void share_out(const GraphView& graph, const std::vector<double>& rank, std::vector<double>& share) {
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    share[v] = rank[v] / static_cast<double>(std::max<std::uint64_t>(1, graph.out.degree(v)));
  }
}

}  // namespace

Verdict verify_pagerank(const GraphView& graph, const RankTask& task, const RankRun& run, std::size_t rank,
                        std::uint64_t most_edges) {
  const std::size_t ranks = task.damping.size();
  const double damping = static_cast<double>(task.damping[rank]);
  const std::uint64_t edges = graph.out.neighbours.size();
  const bool all = edges * static_cast<std::uint64_t>(task.iterations) <= most_edges;
  std::vector<double> expected(graph.vertices(), 1.0 / graph.vertices()), share(graph.vertices());
  if (all) {
    for (int i = 0; i < task.iterations; ++i) {
      share_out(graph, expected, share);
      push(graph, damping, share, expected);
    }
  } else {
    for (Vertex v = 0; v < graph.vertices(); ++v)
      share[v] = static_cast<double>(run.before[v * ranks + rank]);
    push(graph, damping, share, expected);
  }
  Verdict verdict{all ? fmt::format("serial push over {} iterations", task.iterations)
                      : "serial push of the last iteration",
                  ""};
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    const double found = static_cast<double>(run.ranks[v * ranks + rank]);
    if (std::abs(found - expected[v]) <= tolerance * expected[v]) continue;
    verdict.fault = fmt::format("vertex {} has rank {:.9g} instead of {:.9g}", v, found, expected[v]);
    break;
  }
  return verdict;
}

Verdict verify_bfs(const GraphView& graph, Vertex source, std::span<const std::int32_t> depth) {
  Verdict verdict{"a parent for every vertex, and no edge that skips a level", ""};
  for (Vertex v = 0; v < graph.vertices() && verdict.fault.empty(); ++v) {
    if (v == source ? depth[v] != 0 : depth[v] == 0 || depth[v] < -1) {
      verdict.fault = fmt::format("vertex {} has depth {}; the source is {}", v, depth[v], source);
    }
    if (depth[v] < 0) continue;
    const auto in = graph.in.of(v);
    if (depth[v] > 0 && std::ranges::none_of(in, [&](Vertex u) { return depth[u] == depth[v] - 1; })) {
      verdict.fault = fmt::format("vertex {} at depth {} has no parent", v, depth[v]);
    }
    for (const Vertex w : graph.out.of(v)) {
      if (depth[w] >= 0 && depth[w] <= depth[v] + 1) continue;
      verdict.fault =
          fmt::format("the edge from {} at depth {} leads to {} at depth {}", v, depth[v], w, depth[w]);
    }
  }
  return verdict;
}

}  // namespace gable::bench
