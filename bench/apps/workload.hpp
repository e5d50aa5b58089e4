#pragma once

// A workload whose parts can be in different tiers. To add one, write its file and its line in workload.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/apps/graphs/graph.hpp"
#include "bench/apps/verify.hpp"
#include "bench/threads/crew.hpp"

namespace gable::bench {

/// The user's options; a workload uses those that concern it.
struct WorkloadOptions {
  int iterations = 100;  ///< PageRank: of every run
  std::vector<std::size_t> ranks = {1,  2,  4, 8,
                                    16, 32, 64};  ///< PageRank: computed at once, one variant for each number
  std::vector<std::string> directions;            ///< BFS: its variants; empty: all
  std::optional<std::uint64_t> source;  ///< BFS: its name in the file; nothing: another one for every run
};

/// A part that is placed as a whole.
struct Part {
  std::string name;  ///< "graph", "temporary"
  std::uint64_t bytes = 0;
};

/// The result of one run: its duration, and the number of traversed edges.
struct WorkloadRun {
  double seconds = 0;
  double edges = 0;
  std::string how;  ///< which way was fastest or chosen: "ranks_avx512", "alpha 15, beta 18"
};

/// The work of a run according to the algorithm: an FMA counts 2, and every element counts as often as the
/// algorithm reads or writes it. Additional work of an implementation (computed indices, spilled partial
/// sums) is not included.
struct RunWork {
  double flops = 0, load_bytes = 0, store_bytes = 0;
};

/// The result of one run for a file: a value for every vertex.
using VertexValues = std::vector<double>;

/// A workload on one graph. Call order: variants; for each variant parts; for each placement lay, ways and
/// take; then run and verify as often as needed.
class Workload {
 public:
  virtual ~Workload() = default;

  virtual std::string name() const = 0;
  virtual std::vector<std::string> variants() const = 0;
  /// The ranks that the variant of PageRank computes at once; 0: another workload.
  virtual int ranks(const std::string&) const { return 0; }
  /// The parts of the variant, its input first, when it runs with this number of threads.
  virtual std::vector<Part> parts(const std::string& variant, std::size_t threads) const = 0;
  /// Copies the input into the memory of the parts and touches the rest, with all threads.
  virtual void lay(const std::string& variant, std::span<const std::span<std::byte>> memory, Crew& crew) = 0;
  /// The number of ways to run the variant as it was laid out; 0 if there is no choice.
  virtual std::size_t ways() const = 0;
  /// A short run in that way; nothing if its result is wrong.
  virtual std::optional<WorkloadRun> try_way(std::size_t way, Crew& crew) = 0;
  /// Selects that way for the following runs.
  virtual void take_way(std::size_t way) = 0;
  /// The run with that number (from 0), which is the same in every placement.
  virtual WorkloadRun run(int number, Crew& crew) = 0;
  /// The work of the last run; nothing if the algorithm computes nothing.
  virtual RunWork work() const { return {}; }
  /// Whether the last run's result is right according to another algorithm.
  virtual Verdict verify() = 0;
  /// The last run's result by vertex, in the order of the graph's vertices.
  virtual VertexValues values() const = 0;
};

/// The names of all workloads on graphs.
std::vector<std::string> workload_names();

/// Throws Error::format if the graph is unsuitable or an option is wrong. `graph` must outlive the workload.
std::unique_ptr<Workload> make_workload(const std::string& name, const Graph& graph,
                                        const WorkloadOptions& options);

std::unique_ptr<Workload> make_pagerank(const Graph& graph, const WorkloadOptions& options);
std::unique_ptr<Workload> make_bfs(const Graph& graph, const WorkloadOptions& options);

}  // namespace gable::bench
