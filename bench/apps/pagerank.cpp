#include "bench/apps/pagerank.hpp"

#include <algorithm>

#include "base/clocks.hpp"
#include "bench/apps/pagerank_step.hpp"

namespace gable::bench {

namespace {

// First vertices of pieces of about equal cost, where an entry of the rows costs about as much as a vertex.
std::vector<std::uint64_t> equal_pieces(const Rows& rows, std::size_t pieces) {
  const std::uint64_t vertices = rows.offsets.size() - 1;
  const std::uint64_t work = rows.offsets[vertices] + vertices;
  std::vector<std::uint64_t> first;
  for (std::size_t p = 0; p <= pieces; ++p) {
    const std::uint64_t before = work / pieces * p + work % pieces * p / pieces;
    std::uint64_t low = 0, high = vertices;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (rows.offsets[middle] + middle < before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    first.push_back(low);
  }
  return first;
}

void set_start(const GraphView& graph, std::size_t ranks, std::span<float> matrix, Crew& crew) {
  const float start = 1.0f / static_cast<float>(graph.vertices());
  crew.over(graph.vertices(), 4096, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t v = first; v < last; ++v) {
      const std::uint64_t degree = graph.out.degree(static_cast<Vertex>(v));
      std::fill_n(matrix.begin() + static_cast<std::ptrdiff_t>(v * ranks), ranks,
                  degree == 0 ? start : start / static_cast<float>(degree));
    }
  });
}

}  // namespace

bool can_vectorize(const RankTask& task, Vertex vertices) {
  if (rank_kernel(task.vector, task.isa, task.damping.size()) == nullptr) return false;
  return task.vector != RankVector::neighbours || vertices * task.damping.size() < (std::uint64_t{1} << 31);
}

RankRun pagerank(const GraphView& graph, const RankTask& task, std::span<float> one, std::span<float> other,
                 Crew& crew) {
  const std::size_t ranks = task.damping.size();
  std::vector<float> base;
  for (const float d : task.damping) base.push_back((1 - d) / static_cast<float>(graph.vertices()));
  const RankKernel kernel = rank_kernel(task.vector, task.isa, ranks);
  const Rows in_slices = {task.slices.offsets, task.slices.entries};
  const std::vector<std::uint64_t> first =
      equal_pieces(is_sliced(task.vector) ? in_slices : graph.in, 64 * crew.threads());
  set_start(graph, ranks, one, crew);
  for (const std::span<float> matrix : {one, other})
    std::fill_n(matrix.begin() + static_cast<std::ptrdiff_t>(graph.vertices() * ranks), ranks, 0.0f);
  Barrier barrier(crew);
  std::vector<Shared> pieces(static_cast<std::size_t>(task.iterations));
  RankRun result;
  crew.run([&](std::size_t thread) {
    float *read = one.data(), *write = other.data();
    barrier.wait();
    const double begin = monotonic_seconds();
    for (int i = 0; i < task.iterations; ++i) {
      const RankStep step = {graph.in.offsets.data(),
                             graph.in.neighbours.data(),
                             graph.out.offsets.data(),
                             read,
                             write,
                             base.data(),
                             task.damping.data(),
                             ranks,
                             i + 1 == task.iterations,
                             graph.vertices(),
                             task.slices};
      Shared& next = pieces[static_cast<std::size_t>(i)];
      for (std::uint64_t p = next.take(); p + 1 < first.size(); p = next.take())
        kernel(step, first[p], first[p + 1]);
      barrier.wait();
      std::swap(read, write);
    }
    if (thread != 0) return;
    result.seconds = monotonic_seconds() - begin;
    result.ranks = read == one.data() ? one : other;
    result.before = read == one.data() ? other : one;
  });
  return result;
}

}  // namespace gable::bench
