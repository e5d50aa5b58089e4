// gap_renumber IN.sg OUT.sg [VERTEX...]: numbers the vertices of a graph as Gable does when it reads one (bench/apps/graphs/graph.cpp),
// for GAP's programs. Prints the seconds that this takes, without reading and writing, and the new number of each VERTEX.
// Compiled by graph_peers.py with the headers of the GAP benchmark suite.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "graph.h"
#include "pvector.h"
#include "reader.h"
#include "timer.h"
#include "writer.h"

typedef int32_t Vertex;
typedef CSRGraph<Vertex> Graph;

static const Vertex neighbourhood = 4096, least_vertices = 1 << 18;

// New numbers of the vertices `from` to `to`: by descending degree, equal ones in their order.
template <typename Degree>
static void number_part(Vertex from, Vertex to, const Degree& degree, std::vector<Vertex>& number) {
  int64_t most = 0;
  for (Vertex v = from; v < to; ++v) most = std::max(most, degree(v));
  std::vector<Vertex> first(most + 2);
  for (Vertex v = from; v < to; ++v) ++first[most - degree(v) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (Vertex v = from; v < to; ++v) number[v] = from + first[most - degree(v)]++;
}

static bool is_local(const Graph& graph) {
  if (graph.num_nodes() < least_vertices) return false;
  int64_t near_entries = 0;
#pragma omp parallel for reduction(+ : near_entries) schedule(dynamic, 1024)
  for (Vertex u = 0; u < graph.num_nodes(); ++u) {
    for (Vertex v : graph.out_neigh(u)) near_entries += std::abs(u - v) < neighbourhood;
  }
  return near_entries > graph.num_edges_directed() / 4;
}

static std::vector<Vertex> numbered(const Graph& graph) {
  const Vertex vertices = graph.num_nodes();
  std::vector<Vertex> number(vertices);
  if (!is_local(graph)) {
    number_part(0, vertices, [&](Vertex v) { return graph.out_degree(v); }, number);
    return number;
  }
#pragma omp parallel for schedule(dynamic, 4)
  for (Vertex from = 0; from < vertices; from += neighbourhood)
    number_part(from, std::min(vertices, from + neighbourhood), [&](Vertex v) { return graph.in_degree(v); }, number);
  return number;
}

struct Rows {
  Vertex** index;
  Vertex* neighbours;
};

// The rows in the new order; of the in-edges if `in`.
static Rows renumbered(const Graph& graph, const std::vector<Vertex>& number, bool in) {
  const Vertex vertices = graph.num_nodes();
  pvector<SGOffset> offsets(vertices + 1, 0);
  for (Vertex v = 0; v < vertices; ++v) offsets[number[v] + 1] = in ? graph.in_degree(v) : graph.out_degree(v);
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  Vertex* const neighbours = new Vertex[offsets[vertices]];
  Vertex** const index = Graph::GenIndex(offsets, neighbours);
#pragma omp parallel for schedule(dynamic, 1024)
  for (Vertex v = 0; v < vertices; ++v) {
    Vertex* const row = index[number[v]];
    Vertex* at = row;
    if (in) {
      for (Vertex u : graph.in_neigh(v)) *at++ = number[u];
    } else {
      for (Vertex u : graph.out_neigh(v)) *at++ = number[u];
    }
    std::sort(row, at);
  }
  return {index, neighbours};
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const Graph graph = Reader<Vertex>(argv[1]).ReadSerializedGraph();
  Timer timer;
  timer.Start();
  const std::vector<Vertex> number = numbered(graph);
  const Rows out = renumbered(graph, number, false);
  const Rows in = graph.directed() ? renumbered(graph, number, true) : out;
  timer.Stop();
  Graph result = graph.directed() ? Graph(graph.num_nodes(), out.index, out.neighbours, in.index, in.neighbours)
                                  : Graph(graph.num_nodes(), out.index, out.neighbours);
  WriterBase<Vertex>(result).WriteGraph(argv[2], true);
  std::printf("Renumbering: %.6f\n", timer.Seconds());
  for (int i = 3; i < argc; ++i) std::printf("%d\n", number.at(std::atoi(argv[i])));
  return 0;
}
