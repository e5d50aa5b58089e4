#include "bench/apps/graph.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace gable::bench {

namespace {

constexpr std::uint64_t rows_a_piece = 256;

template <class T>
T add(T& counter, T amount) {
  return std::atomic_ref<T>(counter).fetch_add(amount, std::memory_order_relaxed);
}

// job(edge) for all edges, in parallel by pieces.
template <class Job>
void for_edges(std::vector<EdgePiece>& pieces, Crew& crew, bool release, const Job& job) {
  crew.over(pieces.size(), 1, [&](std::uint64_t begin, std::uint64_t) {
    for (Edge& edge : pieces[begin].list()) job(edge);
    if (release) pieces[begin] = {};
  });
}

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

struct OwnedRows {
  Array<std::uint64_t> offsets;
  Array<Vertex> neighbours;
};

// Rows of `vertices` vertices. `each(emit)` calls emit(vertex, neighbour) for all entries, in any order and
// on many threads, and the same ones both times: to count, and to place.
template <class Each>
OwnedRows scatter(std::size_t vertices, const Each& each) {
  OwnedRows rows;
  rows.offsets = Array<std::uint64_t>(vertices + 1);
  each(false, [&](Vertex v, Vertex) { add<std::uint64_t>(rows.offsets[v], 1); });
  // The degree of v becomes the begin of row v, one place further: placing moves it to the end of the row,
  // which is the begin of the next.
  std::uint64_t begin = 0, degree = 0;
  for (std::size_t v = 0; v <= vertices; ++v) {
    const std::uint64_t next = rows.offsets[v];
    rows.offsets[v] = begin;
    begin += degree;
    degree = next;
  }
  rows.neighbours = Array<Vertex>(begin + degree);
  each(true, [&](Vertex v, Vertex neighbour) {
    rows.neighbours[add<std::uint64_t>(rows.offsets[v + 1], 1)] = neighbour;
  });
  return rows;
}

// Sorts every row and closes the gaps that entries named twice leave.
void sort_rows(OwnedRows& rows, Crew& crew) {
  const std::size_t vertices = rows.offsets.size() - 1;
  Array<Vertex> degree(vertices);
  std::atomic<bool> gaps = false;
  crew.over(vertices, rows_a_piece, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t v = first; v < last; ++v) {
      Vertex* const begin = rows.neighbours.data() + rows.offsets[v];
      Vertex* const end = rows.neighbours.data() + rows.offsets[v + 1];
      if (!std::is_sorted(begin, end)) std::sort(begin, end);
      degree[v] = static_cast<Vertex>(std::unique(begin, end) - begin);
      if (begin + degree[v] != end) gaps.store(true, std::memory_order_relaxed);
    }
  });
  if (!gaps) return;
  std::uint64_t to = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::uint64_t from = std::exchange(rows.offsets[v], to);
    std::copy_n(rows.neighbours.data() + from, degree[v], rows.neighbours.data() + to);
    to += degree[v];
  }
  rows.offsets[vertices] = to;
  Array<Vertex> shorter(to);
  std::copy_n(rows.neighbours.data(), to, shorter.data());
  rows.neighbours = std::move(shorter);
}

OwnedRows transpose(const OwnedRows& rows, Crew& crew) {
  const std::size_t vertices = rows.offsets.size() - 1;
  OwnedRows turned = scatter(vertices, [&](bool, const auto& emit) {
    crew.over(vertices, rows_a_piece, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t v = first; v < last; ++v) {
        for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i)
          emit(rows.neighbours[i], static_cast<Vertex>(v));
      }
    });
  });
  sort_rows(turned, crew);
  return turned;
}

std::uint64_t count_self_loops(const OwnedRows& rows, Crew& crew) {
  std::uint64_t loops = 0;
  crew.over(rows.offsets.size() - 1, rows_a_piece, [&](std::uint64_t first, std::uint64_t last) {
    std::uint64_t here = 0;
    for (std::uint64_t v = first; v < last; ++v) {
      here += std::binary_search(rows.neighbours.data() + rows.offsets[v],
                                 rows.neighbours.data() + rows.offsets[v + 1], static_cast<Vertex>(v));
    }
    add(loops, here);
  });
  return loops;
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
    Array<Vertex> degree(vertices);
    for_edges(edges, crew, false, [&](const Edge& edge) {
      add<Vertex>(degree[edge.from], 1);
      if (!directed && edge.from != edge.to) add<Vertex>(degree[edge.to], 1);
    });
    const Array<Vertex> number = by_descending_degree(degree);
    for_edges(edges, crew, false, [&](Edge& edge) { edge = {number[edge.from], number[edge.to]}; });
    graph.ids = Array<std::uint64_t>(vertices);
    for (std::size_t v = 0; v < vertices; ++v) graph.ids[number[v]] = ids[v];
    ids = {};
  }
  OwnedRows out = scatter(vertices, [&](bool last, const auto& emit) {
    for_edges(edges, crew, last, [&](const Edge& edge) {
      emit(edge.from, edge.to);
      if (!directed && edge.from != edge.to) emit(edge.to, edge.from);
    });
  });
  sort_rows(out, crew);
  graph.self_loops = count_self_loops(out, crew);
  const std::uint64_t entries = out.neighbours.size();
  graph.edges = directed ? entries : (entries - graph.self_loops) / 2 + graph.self_loops;
  graph.duplicates = listed - graph.edges;
  if (directed) {
    OwnedRows in = transpose(out, crew);
    graph.in_offsets = std::move(in.offsets);
    graph.in_neighbours = std::move(in.neighbours);
  }
  graph.out_offsets = std::move(out.offsets);
  graph.out_neighbours = std::move(out.neighbours);
  return graph;
}

}  // namespace gable::bench
