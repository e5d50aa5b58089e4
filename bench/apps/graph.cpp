#include "bench/apps/graph.hpp"

#include <algorithm>
#include <numeric>

#include "bench/apps/rows.hpp"

namespace gable::bench {

namespace {

// Numbers vertices by descending degree, equal ones as they were; gives new number by old.
Array<Vertex> by_descending_degree(std::span<const Vertex> degree) {
  const Vertex most = degree.empty() ? 0 : *std::ranges::max_element(degree);
  std::vector<std::uint64_t> first(static_cast<std::size_t>(most) + 2);  // of each degree
  for (const Vertex d : degree) ++first[most - d + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  Array<Vertex> number(degree.size());
  for (std::size_t v = 0; v < degree.size(); ++v) {
    number[v] = static_cast<Vertex>(first[most - degree[v]]++);
  }
  return number;
}

}  // namespace

GraphView Graph::view() const {
  const Rows out{out_offsets, out_neighbours};
  return {out, directed ? Rows{in_offsets, in_neighbours} : out, directed};
}

std::uint64_t Graph::bytes() const {
  return 8 * (out_offsets.size() + in_offsets.size()) + 4 * (out_neighbours.size() + in_neighbours.size());
}

Graph build_graph(std::vector<EdgePiece> edges, Array<std::uint64_t> ids, bool directed, Crew& crew) {
  const std::size_t vertices = ids.size();
  std::uint64_t listed = 0;
  for (const EdgePiece& piece : edges) listed += piece.used;
  Graph graph;
  graph.directed = directed;
  {
    const Array<Vertex> number = by_descending_degree(count_ends(edges, vertices, !directed, crew));
    crew.over(edges.size(), 1, [&](std::uint64_t piece, std::uint64_t) {
      for (Edge& edge : edges[piece].list()) {
        const Vertex from = number[edge.from], to = number[edge.to];
        edge = directed ? Edge{from, to} : Edge{std::min(from, to), std::max(from, to)};
      }
    });
    graph.ids = Array<std::uint64_t>(vertices);
    for (std::size_t v = 0; v < vertices; ++v) graph.ids[number[v]] = ids[v];
    ids = {};
  }
  // Of an undirected graph each edge once at first: half to sort, and no list of edges beside all entries.
  OwnedRows once = rows_of(std::move(edges), vertices, crew);
  graph.edges = once.neighbours.size();
  graph.self_loops = count_self_loops(once, crew);
  graph.duplicates = listed - graph.edges;
  OwnedRows other = directed ? transpose(once, crew) : both_sides(once, crew);
  OwnedRows& out = directed ? once : other;
  if (directed) {
    graph.in_offsets = std::move(other.offsets);
    graph.in_neighbours = std::move(other.neighbours);
  }
  graph.out_offsets = std::move(out.offsets);
  graph.out_neighbours = std::move(out.neighbours);
  return graph;
}

}  // namespace gable::bench
