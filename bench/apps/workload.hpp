#pragma once

// A workload whose parts can lie in different tiers. Adding one: its file, and its line in workload.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "bench/apps/crew.hpp"
#include "bench/apps/graphs/graph.hpp"
#include "bench/apps/verify.hpp"

namespace gable::bench {

/// What a person may choose; a workload takes what concerns it.
struct WorkloadOptions {
  int iterations = 100;                                       ///< PageRank: of every run
  std::vector<std::size_t> ranks = {1, 2, 4, 8, 16, 32, 64};  ///< PageRank: at once, one variant each
  float damping = 0.85f;                                      ///< PageRank: of the first rank
  std::vector<std::string> directions;                        ///< BFS: its variants; none: all of them
  std::optional<std::uint64_t> source;  ///< BFS: its name in the file; none: a new one for every run
};

/// Something that is placed as a whole.
struct Part {
  std::string name;  ///< "graph", "temporary"
  std::uint64_t bytes = 0;
};

/// One run: how long, and how many edges were traversed.
struct WorkloadRun {
  double seconds = 0;
  double edges = 0;
  std::string how;  ///< which of several ways was the fastest, or taken: "ranks_avx512", "alpha 15, beta 18"
};

/// What a run asks of the machine, by the algorithm: an FMA counts 2; every element that is read or written
/// once for each time the algorithm names it. What an implementation needs beside (indices computed, partial
/// sums spilt) is not in it.
struct RunWork {
  double flops = 0, load_bytes = 0, store_bytes = 0;
};

/// One run's result for a file: a value for every vertex.
using VertexValues = std::vector<double>;

/// A workload on one graph. Call in this order: variants; for each of them parts, then for each placement
/// lay, the ways there are and which of them to take, and then run and verify as often as wanted.
class Workload {
 public:
  virtual ~Workload() = default;

  virtual std::string name() const = 0;
  virtual std::vector<std::string> variants() const = 0;
  /// What has to be placed for the variant, its input first, when so many threads run it.
  virtual std::vector<Part> parts(const std::string& variant, std::size_t threads) const = 0;
  /// Copies the input into the memory of the parts, and touches the rest, with all threads.
  virtual void lay(const std::string& variant, std::span<const std::span<std::byte>> memory, Crew& crew) = 0;
  /// How many ways there are to run the variant as it was laid; 0 where there is nothing to choose.
  virtual std::size_t ways() const = 0;
  /// A short run in that way; nothing where its result is wrong.
  virtual std::optional<WorkloadRun> try_way(std::size_t way, Crew& crew) = 0;
  /// The runs go that way from now on.
  virtual void take_way(std::size_t way) = 0;
  /// The run of that number (from 0): the same in every placement.
  virtual WorkloadRun run(int number, Crew& crew) = 0;
  /// Of the last run; nothing where the algorithm computes nothing.
  virtual RunWork work() const { return {}; }
  /// Whether the last run's result is right, by another algorithm.
  virtual Verdict verify() = 0;
  /// The last run's result by vertex, in the order of the graph's vertices.
  virtual VertexValues values() const = 0;
};

/// The names of all workloads on graphs.
std::vector<std::string> workload_names();

/// Throws GraphError where the graph cannot do for it, or an option is wrong. `graph` must outlive it.
std::unique_ptr<Workload> make_workload(const std::string& name, const Graph& graph,
                                        const WorkloadOptions& options);

}  // namespace gable::bench
