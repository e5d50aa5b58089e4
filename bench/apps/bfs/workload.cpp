// Breadth-first search as a workload, from sources that reach a large part of the graph.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "base/error.hpp"
#include "bench/apps/bfs/bfs.hpp"
#include "bench/apps/graphs/laid_graph.hpp"
#include "bench/apps/workload.hpp"

namespace gable::bench {

namespace {

constexpr double least_share = 0.25;  // of vertices and of edges; a source that reaches less is drawn again
constexpr int most_draws = 200;
constexpr BfsSwitch turns[] = {{15, 18}, {4, 18}, {60, 18}, {15, 90}, {4, 90}, {60, 90}};

const std::map<std::string, BfsDirection> directions = {{"top-down", BfsDirection::top_down},
                                                        {"bottom-up", BfsDirection::bottom_up},
                                                        {"optimizing", BfsDirection::optimizing}};

class BfsWorkload : public Workload {
 public:
  BfsWorkload(const Graph& graph, const WorkloadOptions& options)
      : graph_(graph), wanted_(options.directions) {
    for (const std::string& direction : wanted_) {
      if (!directions.contains(direction))
        throw Error::usage(
            fmt::format("no direction '{}': directions are top-down, bottom-up and optimizing", direction));
    }
    if (!options.source) return;
    const auto vertex = std::ranges::find(graph.ids, *options.source);
    if (vertex == graph.ids.end())
      throw Error::usage(fmt::format("source {}: the graph has no such vertex", *options.source));
    given_ = static_cast<Vertex>(vertex - graph.ids.begin());
    if (graph.out_offsets[*given_ + 1] == graph.out_offsets[*given_])
      throw Error::usage(
          fmt::format("source {}: it has no outgoing edge, so there is nothing to search", *options.source));
  }

  std::string name() const override { return "bfs"; }

  std::vector<std::string> variants() const override {
    if (wanted_.empty()) return {"top-down", "bottom-up", "optimizing"};
    return wanted_;
  }

  std::vector<Part> parts(const std::string&, std::size_t threads) const override {
    return {{"graph", LaidGraph::bytes(graph_)},
            {"temporary", BfsScratch::bytes(graph_.vertices(), threads)}};
  }

  void lay(const std::string& variant, std::span<const std::span<std::byte>> memory, Crew& crew) override {
    direction_ = directions.at(variant);
    laid_ = LaidGraph(graph_, memory[0], crew);
    touch(memory[1], crew);
    scratch_ = BfsScratch::in(memory[1], graph_.vertices(), crew.threads());
    turn_ = {};
  }

  // The best thresholds for turning depend on the placement of the data.
  std::size_t ways() const override { return direction_ == BfsDirection::optimizing ? std::size(turns) : 0; }

  std::optional<WorkloadRun> try_way(std::size_t way, Crew& crew) override {
    turn_ = turns[way];
    WorkloadRun sum{0, 0, how()};
    for (int number = 0; number < 3; ++number) {
      const WorkloadRun one = run(number, crew);
      if (!verify().fault.empty()) return std::nullopt;
      sum.seconds += one.seconds;
      sum.edges += one.edges;
    }
    return sum;
  }

  void take_way(std::size_t way) override { turn_ = turns[way]; }

  WorkloadRun run(int number, Crew& crew) override {
    for (bool known = false; !known;) {
      known = given_ || static_cast<std::size_t>(number) < sources_.size();
      source_ = given_ ? *given_ : known ? sources_[static_cast<std::size_t>(number)] : draw();
      const BfsRun search = bfs(laid_.view(), source_, direction_, turn_, scratch_, crew);
      std::uint64_t vertices = 0, edges = 0;
      for (Vertex v = 0; v < graph_.vertices(); ++v) {
        if (scratch_.depth[v] < 0) continue;
        ++vertices;
        edges += graph_.view().out.degree(v);
      }
      if (known) return {search.seconds, static_cast<double>(edges), how()};
      const double all_edges = static_cast<double>(graph_.out_neighbours.size());
      if (static_cast<double>(vertices) >= least_share * graph_.vertices() &&
          static_cast<double>(edges) >= least_share * all_edges) {
        sources_.push_back(source_);
        draws_ = 0;
      }
    }
    return {};
  }

  Verdict verify() override { return verify_bfs(graph_.view(), source_, scratch_.depth); }

  VertexValues values() const override { return {scratch_.depth.begin(), scratch_.depth.end()}; }

 private:
  std::string how() const {
    return direction_ == BfsDirection::optimizing
               ? fmt::format("alpha {:g}, beta {:g}", turn_.alpha, turn_.beta)
               : "";
  }

  Vertex draw() {
    if (++draws_ > most_draws) {
      throw Error::usage(
          fmt::format("none of {} sources reaches a quarter of the vertices and of the edges; "
                      "choose one with --source",
                      most_draws));
    }
    return std::uniform_int_distribution<Vertex>(0, graph_.vertices() - 1)(random_);
  }

  const Graph& graph_;
  std::vector<std::string> wanted_;
  std::optional<Vertex> given_;
  std::vector<Vertex> sources_;  // of the runs, once drawn
  int draws_ = 0;                // since the last good one
  std::mt19937 random_{20211};
  LaidGraph laid_;
  BfsScratch scratch_;
  BfsDirection direction_ = BfsDirection::top_down;
  BfsSwitch turn_;
  Vertex source_ = 0;
};

}  // namespace

std::unique_ptr<Workload> make_bfs(const Graph& graph, const WorkloadOptions& options) {
  return std::make_unique<BfsWorkload>(graph, options);
}

}  // namespace gable::bench
