// A run of PageRank or of BFS alone, on a graph from a file, so that a profile of it takes minutes:
//   graph_step make FILE RECIPE                    draws a graph, such as kron:livejournal
//   graph_step pagerank FILE RANKS ITERATIONS      prints the seconds and the traversed edges
//   graph_step bfs FILE top-down|bottom-up
// The marked region "run" has what is timed. The objects "graph" and "temporary" are the parts that gable
// place puts into different memories. PageRank uses AVX2, which Valgrind knows: slices of rows if the ranks
// fit.

#include <fmt/core.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/apps/bfs/bfs.hpp"
#include "bench/apps/graphs/generate.hpp"
#include "bench/apps/graphs/laid_graph.hpp"
#include "bench/apps/pagerank.hpp"
#include "points/include/gable-marker.h"

namespace {

using namespace gable::bench;

struct Closing {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closing>;

File opened(const std::string& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode));
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  return file;
}

void check(bool is_right) {
  if (!is_right) throw std::runtime_error("the file of the graph is broken, or the disk is full");
}

template <class T>
void put(std::FILE* file, const T& value, std::size_t count = 1) {
  check(std::fwrite(&value, sizeof(T), count, file) == count);
}

template <class T>
void put(std::FILE* file, const Array<T>& array) {
  put(file, array.size());
  check(std::fwrite(array.data(), sizeof(T), array.size(), file) == array.size());
}

template <class T>
void get(std::FILE* file, T& value) {
  check(std::fread(&value, sizeof(T), 1, file) == 1);
}

template <class T>
void get(std::FILE* file, Array<T>& array) {
  std::size_t size = 0;
  get(file, size);
  array = Array<T>(size);
  check(std::fread(array.data(), sizeof(T), size, file) == size);
}

template <class Each>
void each_field(auto& graph, const Each& each) {
  each(graph.out_offsets), each(graph.in_offsets), each(graph.out_neighbours), each(graph.in_neighbours);
  each(graph.ids), each(graph.directed), each(graph.edges);
}

void mark(Crew& crew, bool begin) {
  crew.run([&](std::size_t) { begin ? gable_marker_start("run") : gable_marker_stop("run"); });
}

std::byte* memory_of(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

void say(double seconds, double edges) {
  fmt::print("{:.6f} {:.0f}\n", seconds, edges);
}

void run_pagerank(const Graph& graph, std::size_t ranks, int iterations, Crew& crew) {
  const std::size_t entries = (graph.vertices() + 1) * ranks;
  const std::size_t matrix = whole_pages(4 * entries), rows = LaidGraph::bytes(graph);
  const std::size_t graph_bytes = rows + SlicedRows::bytes(graph.view().in);
  std::byte* const graph_rows = memory_of(graph_bytes);
  std::byte* const temporary = memory_of(2 * matrix);
  const LaidGraph laid(graph, {graph_rows, rows}, crew);
  const SlicedRows sliced(graph.view(), {graph_rows + rows, graph_bytes - rows}, crew);
  touch({temporary, 2 * matrix}, crew);
  RankTask task{std::vector<float>(ranks, 0.85F), iterations, RankVector::rows, "avx2", sliced.view()};
  if (!can_vectorize(task, graph.vertices())) task.vector = RankVector::ranks;
  mark(crew, true);
  const RankRun run = pagerank(laid.view(), task, {reinterpret_cast<float*>(temporary), entries},
                               {reinterpret_cast<float*>(temporary + matrix), entries}, crew);
  mark(crew, false);
  say(run.seconds, static_cast<double>(iterations) * static_cast<double>(graph.edges * ranks));
}

void run_bfs(const Graph& graph, const std::string& direction, Crew& crew) {
  const std::size_t scratch_bytes = BfsScratch::bytes(graph.vertices(), crew.threads());
  std::byte* const graph_rows = memory_of(LaidGraph::bytes(graph));
  std::byte* const temporary = memory_of(scratch_bytes);
  const LaidGraph laid(graph, {graph_rows, LaidGraph::bytes(graph)}, crew);
  touch({temporary, scratch_bytes}, crew);
  const BfsScratch scratch = BfsScratch::in({temporary, scratch_bytes}, graph.vertices(), crew.threads());
  const auto way = direction == "top-down" ? BfsDirection::top_down : BfsDirection::bottom_up;
  mark(crew, true);
  const BfsRun run = bfs(laid.view(), 0, way, {}, scratch, crew);  // vertex 0 has the most edges
  mark(crew, false);
  double edges = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    if (scratch.depth[v] >= 0) edges += static_cast<double>(graph.view().out.degree(v));
  }
  say(run.seconds, edges);
}

}  // namespace

int main(int count, char** words) try {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() < 3) throw std::runtime_error("see the begin of its source");
  Team team;
  Crew crew(team, {0, 1});
  if (arguments[0] == "make") {
    const Graph graph = generate_graph(arguments[2], crew);
    const File file = opened(arguments[1], "w");
    each_field(graph, [&](const auto& field) { put(file.get(), field); });
    return EXIT_SUCCESS;
  }
  Graph graph;
  const File file = opened(arguments[1], "r");
  each_field(graph, [&](auto& field) { get(file.get(), field); });
  if (arguments[0] == "pagerank") {
    run_pagerank(graph, std::stoul(arguments[2]), std::stoi(arguments.at(3)), crew);
  } else {
    run_bfs(graph, arguments[2], crew);
  }
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "graph_step: {}\n", error.what());
  return EXIT_FAILURE;
}
