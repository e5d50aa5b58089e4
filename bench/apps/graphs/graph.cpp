#include "bench/apps/graphs/graph.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "bench/apps/graphs/degrees.hpp"
#include "bench/apps/graphs/rows.hpp"

namespace gable::bench {

namespace {

// Numbers vertices by descending degree, keeping the order of equal ones. Returns the new number of each old
// one.
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

Graph build_graph(EdgeList edges, Array<std::uint64_t> ids, bool directed, Crew& crew) {
  const std::size_t vertices = ids.size();
  const std::uint64_t listed = edges.edges();
  Graph graph;
  graph.directed = directed;
  OwnedRows once;  // an undirected graph has each edge once at first, which halves the sorting
  {
    const Array<Vertex> number = by_descending_degree(count_ends(edges, vertices, !directed, crew));
    graph.ids = Array<std::uint64_t>(vertices);
    for (std::size_t v = 0; v < vertices; ++v) graph.ids[number[v]] = ids[v];
    ids = {};
    once = rows_of(edges, number, directed, crew);
  }
  graph.edges = once.neighbours.size();
  graph.self_loops = count_self_loops(once, crew);
  graph.duplicates = listed - graph.edges;
  Array<Vertex> memory = std::move(edges).memory();
  OwnedRows other = directed ? transpose(once, std::move(memory), crew)
                             : both_sides(std::move(once), std::move(memory), crew);
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
