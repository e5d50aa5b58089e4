// Kernels that were not used to develop the engine. They show how well it generalizes and must not be used to
// tune it.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "kmaf/traces/workload_kernel.hpp"

namespace gable::kmaf::held_out {

namespace {

// Threads in rows and columns, as square as their number allows.
struct Grid {
  int rows, columns;
  explicit Grid(int threads) : rows(largest_divisor(threads)), columns(threads / rows) {}
  // The largest divisor up to the square root.
  static int largest_divisor(int number) {
    int largest = 1;
    for (int divisor = 1; divisor * divisor <= number; ++divisor) {
      if (number % divisor == 0) largest = divisor;
    }
    return largest;
  }
  int row(int thread) const { return thread / columns; }
  int column(int thread) const { return thread % columns; }
  int at(int row, int column) const { return (row + rows) % rows * columns + (column + columns) % columns; }
};

}  // namespace

// Each thread updates its block and reads an edge (an eighth of a block) of each of its four neighbours'.
void stencil(const WorkloadShape& shape, const AccessSink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const Grid grid(kernel.threads());
  const int edge = std::max(1, kernel.pages() / 8);
  kernel.passes([&](int thread, int element) {
    kernel.update(thread, thread, element);
    const int row = grid.row(thread), column = grid.column(thread);
    const int neighbours[] = {grid.at(row - 1, column), grid.at(row, column + 1), grid.at(row + 1, column),
                              grid.at(row, column - 1)};
    const int side = element / edge;
    if (side < 4 && neighbours[side] != thread)
      kernel.read(thread, neighbours[side], (element + 2 * edge) % kernel.pages());
  });
}

// C = A B in blocks: every pass uses the next block of the thread's row of A and of its column of B.
void product(const WorkloadShape& shape, const AccessSink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own(3);
  const int threads = kernel.threads();
  const Grid grid(threads);
  kernel.passes([&](int thread, int element) {
    const int row = grid.row(thread), column = grid.column(thread);
    kernel.read(thread, grid.at(row, column + kernel.pass()), element);
    kernel.read(thread, threads + grid.at(row + kernel.pass(), column), element);
    kernel.update(thread, 2 * threads + thread, element);
  });
}

// The others of a group read what the first one writes, each into its own data.
void consumers(const WorkloadShape& shape, const AccessSink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const int groups = std::max(1, kernel.threads() / 8);
  kernel.passes([&](int thread, int element) {
    if (thread >= groups) kernel.read(thread, thread % groups, element);
    kernel.update(thread, thread, element);
  });
}

// A graph whose vertices are the threads' elements. Half of the edges stay in a random community of about
// eight threads. The others lead to any thread, to some much more often (in inverse proportion to a rank).
void graph(const WorkloadShape& shape, const AccessSink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const auto threads = static_cast<std::size_t>(kernel.threads()),
             pages = static_cast<std::size_t>(kernel.pages());
  std::mt19937 random(7);
  std::vector<int> order(threads);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = threads - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
  std::vector<std::size_t> rank_of(threads);
  for (std::size_t rank = 0; rank < threads; ++rank) rank_of[static_cast<std::size_t>(order[rank])] = rank;
  struct Vertex {
    int thread, element;
  };
  std::vector<Vertex> edges;  // two for each vertex
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const std::size_t community = rank_of[thread] / 8 * 8,
                      members = std::min<std::size_t>(8, threads - community);
    for (std::size_t element = 0; element < pages; ++element) {
      const double part = static_cast<double>(random()) / 4294967296.0;
      const auto hub = static_cast<std::size_t>(std::pow(static_cast<double>(threads), part)) - 1;
      edges.push_back({order[community + random() % members], static_cast<int>(random() % pages)});
      edges.push_back({order[(hub * 29 + 13) % threads], static_cast<int>(random() % pages)});
    }
  }
  kernel.passes([&](int thread, int element) {
    const std::size_t vertex = static_cast<std::size_t>(thread) * pages + static_cast<std::size_t>(element);
    for (std::size_t edge = 2 * vertex; edge < 2 * vertex + 2; ++edge)
      kernel.read(thread, edges[edge].thread, edges[edge].element);
    kernel.update(thread, thread, element);
  });
}

// Each thread works on its own data. Then one of two threads adds its neighbour's result, one of four that of
// the thread two further on, and so on, one level per pass.
void reduction(const WorkloadShape& shape, const AccessSink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own(2);
  const int threads = kernel.threads();
  int levels = 1;
  while (1 << (levels + 1) <= threads) ++levels;
  kernel.passes([&](int thread, int element) {
    kernel.update(thread, thread, element);
    const int stride = 1 << kernel.pass() % levels;
    if (thread % (2 * stride) != 0 || thread + stride >= threads) return;
    kernel.read(thread, threads + thread + stride, element);
    kernel.update(thread, threads + thread, element);
  });
}

// Partners are neighbours, then half the threads apart, then neighbours again, six times in total.
void alternating(const WorkloadShape& shape, const AccessSink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_by_first(kernel.threads());
  const int threads = kernel.threads();
  kernel.changing_passes([&](int thread, int element) {
    const bool near = static_cast<int>(6 * kernel.progress()) % 2 == 0;
    const int partner = near ? thread ^ 1 : (thread + threads / 2) % threads;
    kernel.update(thread, thread, element);
    if (element % 2 == 0 && partner < threads) kernel.read(thread, partner, element);
  });
}

}  // namespace gable::kmaf::held_out
