#pragma once

// What all makers of cells share: the fields that a Case gets from its cluster and from the options, and the
// list of runs.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/plan/plan.hpp"
#include "model/domain/operation.hpp"

namespace gable::bench {

class CellMaker {
 public:
  CellMaker(const machines::Machine& machine, const machines::Host& host, const Options& options);

  /// The runs gathered so far.
  std::vector<Run> take();

 protected:
  /// A Case with the fields that all Cases of the cluster share.
  model::Case base(const machines::Cluster& cluster, model::Kind kind, model::Level level,
                   model::Pattern pattern) const;

  /// The ISAs to try if the roof is the best of them. The widest is not always the fastest, as on cores that
  /// split wide loads.
  std::vector<std::string> isas_to_try() const;

  /// The variants to try likewise in some place: "load", beyond the first cache "load_short", in memory
  /// "load_halves".
  static std::vector<std::string> variants_to_try(std::string_view op, bool model::Variant::*place);
  static bool model::Variant::*place_of_cache(bool first) {
    return first ? &model::Variant::in_first_cache : &model::Variant::in_other_caches;
  }

  /// Each of them in each ISA to try, the ISA first; once if it is the same kernel in every ISA.
  std::vector<std::pair<std::string, std::string>> kernels_to_try(
      const std::vector<std::string>& variants) const;

  /// Sets op and kernel, and of a validation the arithmetic intensity; returns the reason if the kernel does
  /// not exist or cannot run.
  model::Note set_kernel(model::Case& spec, std::string_view op, const std::string& isa) const;
  model::Note set_kernel(model::Case& spec, std::string_view op) const;

  /// Why there are no pages of that size; empty if there are.
  model::Note page_problem(model::Pages pages) const;

  /// The node of a cluster's cache data: its first local node, or any node with memory if it has none.
  std::optional<machines::Node> home(const machines::Cluster& cluster) const;
  const machines::Cluster& cluster(int index) const;
  /// Working set per thread in memory, according to the options.
  std::uint64_t memory_bytes(const machines::Cluster& cluster, int threads) const;

  /// Adds the run if the options select one of its Cases.
  void push(Run run);
  /// A run of one Case, its data on the Case's node.
  void add_single(model::Case spec, model::Note skip, int priority, int rounds, double seconds);
  Run single_run(model::Case spec, model::Note skip, int priority, int rounds, double seconds) const;
  /// The same in a cache, an index into cluster.caches; a latency is of one thread.
  void add_cached(const machines::Cluster& cluster, std::size_t cache, model::Kind kind, model::Pages pages,
                  std::string_view op, const std::string& isa, int priority, int rounds, double seconds);

  /// A run of a pattern on memory, with a Case for each cluster that takes part. `alone`: of one thread.
  Run memory_run(model::Pattern pattern, const Target& target, model::Pages pages, model::Kind kind,
                 std::string_view op, const std::string& isa, int priority, bool alone = false) const;

  const machines::Machine& machine_;
  const machines::Host& host_;
  const Options& options_;
  std::vector<model::Pages> pages_;  ///< page sizes of the plan, the preferred one first

 private:
  std::vector<Run> runs_;
};

}  // namespace gable::bench
