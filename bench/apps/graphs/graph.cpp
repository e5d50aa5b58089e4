#include "bench/apps/graphs/graph.hpp"

#include <algorithm>
#include <atomic>
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

constexpr std::size_t neighbourhood = 4096;  // vertices that share pages and nearby cache lines

// Whether the vertices of many edges are close together in the order of the file, as crawlers and maps have
// them. Only for graphs whose vertices do not fit into a cache anyway.
bool is_local(const EdgeList& edges, std::size_t vertices, Crew& crew) {
  constexpr std::size_t least_vertices = 1u << 18;
  if (vertices < least_vertices) return false;
  std::atomic<std::uint64_t> near_edges{0};
  crew.over(edges.pieces().size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    near_edges +=
        static_cast<std::uint64_t>(std::ranges::count_if(edges.pieces()[piece].list(), [](Edge edge) {
          return std::max(edge.from, edge.to) - std::min(edge.from, edge.to) < neighbourhood;
        }));
  });
  return near_edges > edges.edges() / 4;
}

// The new number of each old one: by descending out-degree. If the order in the file is local, by in-degree
// among those that are close together: as rows of equal length follow one another, the CPU predicts their
// ends.
Array<Vertex> numbered(const EdgeList& edges, std::size_t vertices, bool directed, Crew& crew) {
  if (!is_local(edges, vertices, crew))
    return by_descending_degree(count_ends(edges, vertices, directed ? Ends::from : Ends::both, crew));
  const Array<Vertex> degree = count_ends(edges, vertices, directed ? Ends::to : Ends::both, crew);
  Array<Vertex> number(vertices);
  for (std::size_t from = 0; from < vertices; from += neighbourhood) {
    const Array<Vertex> part =
        by_descending_degree(std::span(degree).subspan(from, std::min(neighbourhood, vertices - from)));
    std::ranges::transform(part, number.begin() + static_cast<std::ptrdiff_t>(from),
                           [&](Vertex each) { return static_cast<Vertex>(from) + each; });
  }
  return number;
}

}  // namespace

GraphView Graph::view() const {
  const Rows out{out_offsets, out_neighbours};
  return {out, directed ? Rows{in_offsets, in_neighbours} : out};
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
    const Array<Vertex> number = numbered(edges, vertices, directed, crew);
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
  // NOLINTNEXTLINE(bugprone-use-after-move): `once` was not moved from if the graph is directed.
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
