// Every variant of PageRank and BFS is checked by another algorithm, and that algorithm detects sabotage.

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "bench/apps/bfs/bfs.hpp"
#include "bench/apps/graphs/generate.hpp"
#include "bench/apps/verify.hpp"
#include "graphs.hpp"
#include "kernels/kernel.hpp"

namespace {

using namespace gable::bench;
using namespace gable::bench::tests;

// A map of streets: short rows, many levels.
std::string grid(int side) {
  Pairs pairs;
  for (std::uint64_t v = 0, width = side; v < width * width; ++v) {
    if (v % width + 1 < width && v % 7 != 3) pairs.emplace_back(v, v + 1);
    if (v + width < width * width && v % 5 != 2) pairs.emplace_back(v, v + width);
  }
  return edge_list(pairs);
}

// Rows are short on average, but the frontier that is the clique has more edges than there are vertices.
std::string clique_with_tail(std::uint64_t clique, std::uint64_t tail) {
  Pairs pairs;
  for (std::uint64_t v = 0; v < clique; ++v)
    for (std::uint64_t u = 0; u < v; ++u) pairs.emplace_back(u, v);
  for (std::uint64_t v = clique; v < clique + tail; ++v) pairs.emplace_back(v - 1, v);
  return edge_list(pairs);
}

std::vector<Graph> graphs(Crew& crew) {
  std::vector<Graph> all;
  all.push_back(generate_graph("kron:11", crew));
  all.push_back(generate_graph("uniform:10:3", crew));
  all.push_back(generate_graph("kron:epinions", crew));  // directed
  all.push_back(read_text(grid(60), false));
  all.push_back(read_text(clique_with_tail(60, 900), false));
  all.push_back(read_text("7 7\n", false));
  all.push_back(read_text("1 2\n2 3\n3 4\n4 5\n", true));  // a path: the rank drains at its end
  return all;
}

// A direct implementation of the formula, with names and maps.
std::map<std::uint64_t, double> slow_pagerank(const Pairs& pairs, double damping, int iterations) {
  std::map<std::uint64_t, std::set<std::uint64_t>> out, in;
  for (const auto& [from, to] : pairs) {
    out[from].insert(to);
    in[to].insert(from);
    out[to], in[from];
  }
  std::map<std::uint64_t, double> rank;
  for (const auto& [v, unused] : out) rank[v] = 1.0 / static_cast<double>(out.size());
  for (int i = 0; i < iterations; ++i) {
    std::map<std::uint64_t, double> next;
    for (const auto& [v, unused] : out) {
      double sum = 0;
      for (const std::uint64_t u : in[v]) sum += rank[u] / static_cast<double>(out[u].size());
      next[v] = (1 - damping) / static_cast<double>(out.size()) + damping * sum;
    }
    rank = next;
  }
  return rank;
}

TEST(PageRank, IsTheFormula) {
  const Pairs pairs = random_pairs(4, 4000, 600, 3);
  const Graph graph = read_text(edge_list(pairs), true);
  Team team;
  Crew crew = crew_of(team);
  Array<float> one(graph.vertices() + 1), other(graph.vertices() + 1);
  const RankTask task{{0.85f}, 40, RankVector::ranks, "sse2", {}};
  const RankRun run = pagerank(graph.view(), task, one, other, crew);
  for (const auto& [name, rank] : slow_pagerank(pairs, 0.85, 40)) {
    const auto v = std::ranges::find(graph.ids, name) - graph.ids.begin();
    EXPECT_NEAR(run.ranks[static_cast<std::size_t>(v)], rank, 1e-5 * rank) << name;
  }
}

TEST(PageRank, EveryVariantIsVerified) {
  Team team;
  Crew crew = crew_of(team);
  for (const Graph& graph : graphs(crew)) {
    std::vector<std::byte> memory(SlicedRows::bytes(graph.view().in));
    const SlicedRows sliced(graph.view(), memory, crew);
    for (const std::size_t ranks : {1u, 2u, 3u, 4u, 8u, 16u, 32u, 64u}) {
      std::vector<float> damping;
      for (std::size_t z = 0; z < ranks; ++z) damping.push_back(0.9f - 0.01f * static_cast<float>(z));
      Array<float> one((graph.vertices() + 1) * ranks), other((graph.vertices() + 1) * ranks);
      for (const std::string& isa : gable::kernels::isas()) {
        for (const RankVector vector :
             {RankVector::neighbours, RankVector::ranks, RankVector::rows, RankVector::rows_ahead}) {
          for (const int iterations : {1, 4}) {
            const RankTask task{damping, iterations, vector, isa, sliced.view()};
            if (!can_vectorize(task, graph.vertices())) continue;
            const RankRun run = pagerank(graph.view(), task, one, other, crew);
            for (const std::size_t z : {std::size_t{0}, ranks - 1}) {
              EXPECT_EQ(verify_pagerank(graph.view(), task, run, z).fault, "") << isa << " " << ranks;
              EXPECT_EQ(verify_pagerank(graph.view(), task, run, z, 0).fault, "") << isa << " " << ranks;
            }
          }
        }
      }
    }
  }
}

TEST(SlicedRows, HoldEveryRowAndFitTheirMemory) {
  Team team;
  Crew crew = crew_of(team);
  for (const Graph& graph : graphs(crew)) {
    const Rows rows = graph.view().in;
    const Vertex vertices = graph.vertices();
    std::vector<std::byte> memory(SlicedRows::bytes(rows));
    const Slices slices = SlicedRows(graph.view(), memory, crew).view();
    EXPECT_LE(
        reinterpret_cast<const std::byte*>(slices.entries.data() + slices.entries.size() + Slices::readable),
        memory.data() + memory.size());
    std::vector<int> seen(vertices);
    for (std::size_t place = 0; place < slices.vertices.size(); ++place) {
      const std::size_t slice = place / rows_of_slice;
      std::vector<Vertex> row;
      for (std::uint64_t j = slices.offsets[slice] + place % rows_of_slice; j < slices.offsets[slice + 1];
           j += rows_of_slice) {
        if (slices.entries[j] != vertices) row.push_back(slices.entries[j]);
      }
      if (slices.vertices[place] >= vertices) {
        EXPECT_TRUE(row.empty());
        continue;
      }
      ++seen[slices.vertices[place]];
      ASSERT_TRUE(std::ranges::equal(row, rows.of(slices.vertices[place]))) << slices.vertices[place];
    }
    EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
  }
}

TEST(PageRank, AWrongRankIsNoticed) {
  Team team;
  Crew crew = crew_of(team);
  const Graph graph = generate_graph("kron:8", crew);
  Array<float> one(graph.vertices() + 1), other(graph.vertices() + 1);
  const RankTask task{{0.85f}, 10, RankVector::ranks, "sse2", {}};
  const RankRun run = pagerank(graph.view(), task, one, other, crew);
  run.ranks[17] *= 1.001f;
  EXPECT_NE(verify_pagerank(graph.view(), task, run, 0).fault.find("vertex 17"), std::string::npos);
  EXPECT_NE(verify_pagerank(graph.view(), task, run, 0, 0).fault, "");
}

std::vector<std::int32_t> queue_bfs(const GraphView& graph, Vertex source) {
  std::vector<std::int32_t> depth(graph.vertices(), -1);
  std::queue<Vertex> queue({source});
  depth[source] = 0;
  for (; !queue.empty(); queue.pop()) {
    for (const Vertex v : graph.out.of(queue.front())) {
      if (depth[v] >= 0) continue;
      depth[v] = depth[queue.front()] + 1;
      queue.push(v);
    }
  }
  return depth;
}

TEST(Bfs, EveryDirectionIsTheQueues) {
  Team team;
  Crew crew = crew_of(team);
  for (const Graph& graph : graphs(crew)) {
    const GraphView view = graph.view();
    Array<std::byte> memory(BfsScratch::bytes(view.vertices(), crew.threads()));
    const BfsScratch scratch = BfsScratch::in(memory, view.vertices(), crew.threads());
    for (const Vertex source : {Vertex{0}, view.vertices() / 2, view.vertices() - 1}) {
      const std::vector<std::int32_t> expected = queue_bfs(view, source);
      for (const auto direction :
           {BfsDirection::top_down, BfsDirection::bottom_up, BfsDirection::optimizing}) {
        for (const BfsSwitch turn : {BfsSwitch{}, BfsSwitch{1e6, 2}, BfsSwitch{1, 1e6}}) {
          bfs(view, source, direction, turn, scratch, crew);
          EXPECT_TRUE(std::ranges::equal(scratch.depth, expected)) << static_cast<int>(direction);
          EXPECT_EQ(verify_bfs(view, source, scratch.depth).fault, "");
        }
      }
    }
  }
}

TEST(Bfs, AnOptimizingSearchGoesBothWays) {
  Team team;
  Crew crew = crew_of(team);
  const Graph graph = generate_graph("kron:14", crew);
  Array<std::byte> memory(BfsScratch::bytes(graph.vertices(), crew.threads()));
  const BfsScratch scratch = BfsScratch::in(memory, graph.vertices(), crew.threads());
  const BfsRun run = bfs(graph.view(), 500, BfsDirection::optimizing, {}, scratch, crew);
  EXPECT_GT(run.bottom_up_levels, 0);
  EXPECT_LT(run.bottom_up_levels, run.levels);
}

TEST(Bfs, WrongDepthsAreNoticed) {
  Team team;
  Crew crew = crew_of(team);
  const Graph graph = generate_graph("kron:9", crew);
  const GraphView view = graph.view();
  const std::vector<std::int32_t> right = queue_bfs(view, 3);
  EXPECT_EQ(verify_bfs(view, 3, right).fault, "");
  const auto deep = static_cast<std::size_t>(std::ranges::max_element(right) - right.begin());
  for (const std::int32_t wrong : {-1, 0, 1, right[deep] + 1, right[deep] - 1, -2}) {
    std::vector<std::int32_t> depth = right;
    depth[deep] = wrong;
    EXPECT_NE(verify_bfs(view, 3, depth).fault, "") << wrong;
  }
  EXPECT_NE(verify_bfs(view, 4, right).fault, "");
}

}  // namespace
