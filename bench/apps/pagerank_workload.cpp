// PageRank as a workload: the rows are read, two matrices of ranks are read and written in turn.

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "bench/apps/graphs/laid_graph.hpp"
#include "bench/apps/workload.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

namespace {

constexpr int tuning_iterations = 3;
constexpr float usual_damping = 0.85f;

class PageRankWorkload : public Workload {
 public:
  PageRankWorkload(const Graph& graph, const WorkloadOptions& options) : graph_(graph), options_(options) {
    for (const std::size_t ranks : options.ranks) {
      if (ranks < 1 || ranks > most_ranks)
        throw Error::usage(fmt::format("{} ranks at once: 1 to {} are supported", ranks, most_ranks));
    }
    if (options.iterations < 1) throw Error::usage("at least one iteration");
  }

  std::string name() const override { return "pagerank"; }

  std::vector<std::string> variants() const override {
    return each_of(options_.ranks, [](std::size_t ranks) { return name_of(ranks); });
  }

  int ranks(const std::string& variant) const override { return static_cast<int>(ranks_of(variant)); }

  std::vector<Part> parts(const std::string& variant, std::size_t) const override {
    return {{"graph", LaidGraph::bytes(graph_) + SlicedRows::bytes(graph_.view().in)},
            {"temporary", 2 * matrix_bytes(ranks_of(variant))}};
  }

  void lay(const std::string& variant, std::span<const std::span<std::byte>> memory, Crew& crew) override {
    const std::size_t ranks = ranks_of(variant);
    laid_ = LaidGraph(graph_, memory[0], crew);
    sliced_ = SlicedRows(graph_.view(), memory[0].subspan(LaidGraph::bytes(graph_)), crew);
    std::byte* const temporary = memory[1].data();
    touch(memory[1], crew);
    const std::size_t entries = (graph_.vertices() + 1) * ranks;
    one_ = {reinterpret_cast<float*>(temporary), entries};
    other_ = {reinterpret_cast<float*>(temporary + matrix_bytes(ranks)), entries};
    task_ = {};
    task_.iterations = options_.iterations;
    for (std::size_t z = 0; z < ranks; ++z) {  // the others evenly spaced below the first
      task_.damping.push_back(usual_damping * (1 - 0.5f * static_cast<float>(z) / static_cast<float>(ranks)));
    }
    find_ways();
  }

  std::size_t ways() const override { return ways_.size(); }

  std::optional<WorkloadRun> try_way(std::size_t way, Crew& crew) override {
    RankTask task = ways_[way];
    task.iterations = std::min(task.iterations, tuning_iterations);
    const RankRun run = pagerank(laid_.view(), task, one_, other_, crew);
    if (!verify_pagerank(graph_.view(), task, run, 0, 0).fault.empty()) return std::nullopt;
    return WorkloadRun{run.seconds, edges(task), how(task)};
  }

  void take_way(std::size_t way) override { task_ = ways_[way]; }

  WorkloadRun run(int, Crew& crew) override {
    last_ = pagerank(laid_.view(), task_, one_, other_, crew);
    return {last_.seconds, edges(task_), how(task_)};
  }

  // For each entry of the in-rows, an iteration reads a number and Z ranks and adds these. For each vertex
  // it reads the bounds of its out-row and writes Z ranks: base + damping * sum, divided by the out-degree.
  // It also reads the bounds of each in-row, or those of each slice and the number of each of its rows.
  RunWork work() const override {
    const GraphView view = graph_.view();
    const auto entries = static_cast<double>(view.in.neighbours.size());
    const auto vertices = static_cast<double>(view.vertices());
    const auto ranks = static_cast<double>(task_.damping.size()),
               iterations = static_cast<double>(task_.iterations);
    const double bounds = is_sliced(task_.vector) ? 16.0 / rows_of_slice + 8 : 32;
    return {iterations * (ranks * (entries + 3 * vertices) + vertices),
            iterations * (entries * (4 + 4 * ranks) + bounds * vertices), iterations * 4 * ranks * vertices};
  }

  // The first and the last rank, because they are different columns of the matrices.
  Verdict verify() override {
    Verdict verdict = verify_pagerank(graph_.view(), task_, last_, 0);
    if (verdict.fault.empty() && task_.damping.size() > 1)
      verdict.fault = verify_pagerank(graph_.view(), task_, last_, task_.damping.size() - 1).fault;
    return verdict;
  }

  VertexValues values() const override {
    VertexValues values;
    for (std::size_t v = 0; v < graph_.vertices(); ++v)
      values.push_back(static_cast<double>(last_.ranks[v * task_.damping.size()]));
    return values;
  }

 private:
  // All implementations that this CPU and this graph permit.
  void find_ways() {
    ways_.clear();
    for (const RankVector vector :
         {RankVector::ranks, RankVector::neighbours, RankVector::rows, RankVector::rows_ahead}) {
      for (const std::string& isa : kernels::isas()) {
        RankTask way = task_;
        way.vector = vector;
        way.isa = isa;
        way.slices = sliced_.view();
        if (can_vectorize(way, graph_.vertices())) ways_.push_back(way);
      }
    }
  }

  static std::string name_of(std::size_t ranks) {
    return count_text(static_cast<std::int64_t>(ranks), "rank");
  }

  std::size_t ranks_of(const std::string& variant) const {
    return *std::ranges::find(options_.ranks, variant, name_of);
  }

  std::uint64_t matrix_bytes(std::size_t ranks) const {
    return whole_pages(4 * ranks * (graph_.vertices() + 1));
  }

  double edges(const RankTask& task) const {
    return static_cast<double>(task.iterations) * static_cast<double>(graph_.edges) *
           static_cast<double>(task.damping.size());
  }

  static std::string how(const RankTask& task) {
    static constexpr std::array sums = {"vectors of neighbours", "vectors of ranks", "slices of rows",
                                        "slices of rows with prefetches"};
    return fmt::format("{}, {}", sums[static_cast<std::size_t>(task.vector)], task.isa);
  }

  const Graph& graph_;
  WorkloadOptions options_;
  LaidGraph laid_;
  SlicedRows sliced_;
  std::span<float> one_, other_;
  RankTask task_;
  std::vector<RankTask> ways_;
  RankRun last_;
};

}  // namespace

std::unique_ptr<Workload> make_pagerank(const Graph& graph, const WorkloadOptions& options) {
  return std::make_unique<PageRankWorkload>(graph, options);
}

}  // namespace gable::bench
