#include "bench/plan/validation_cells.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "kernels/kernel.hpp"

namespace gable::bench {

namespace {

using machines::Cluster;

// Operations per load: from far below the ridge of the slowest memory to beyond that of L1.
constexpr int fmas[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

constexpr int local_priority = 5, further_priority = 6;

}  // namespace

void ValidationCells::make() {
  if (!options_.preset->validation) return;
  for (const std::string& isa : isas_to_try()) {
    for (const int count : fmas) {
      const std::string op = fmt::format("load_fma{}", count);
      if (kernels::find(op, isa) == nullptr) continue;  // an ISA without FMA has no such points
      for (const Cluster& cluster : machine_.clusters) add_caches(cluster, op, isa, 0);
      add_memory(op, isa);
      // Far from the core the faster of both is what a program can reach.
      const std::string prefetched = op + "_prefetch";
      for (const Cluster& cluster : machine_.clusters)
        add_caches(cluster, prefetched, isa, std::max<std::size_t>(cluster.caches.size(), 2) - 1);
      add_memory(prefetched, isa);
    }
  }
}

void ValidationCells::add_caches(const Cluster& cluster, std::string_view op, const std::string& isa,
                                 std::size_t first) {
  for (std::size_t i = first; i < cluster.caches.size(); ++i)
    add_cached(cluster, i, model::Kind::validation, pages_.front(), op, isa, local_priority,
               options_.preset->grid_rounds, visit_seconds());
}

// All patterns if every operation is measured; otherwise only those of a cluster alone.
void ValidationCells::add_memory(std::string_view op, const std::string& isa) {
  for (const auto& [pattern, targets] : memory_patterns()) {
    const bool local = pattern == model::Pattern::local;
    if (!local && (!options_.preset->all_operations || isa != isas_to_try().front())) continue;
    for (const Target& target : targets(machine_)) {
      if (!target.skip.empty()) continue;  // the roof has the reason
      Run run = memory_run(pattern, target, pages_.front(), model::Kind::validation, op, isa,
                           local ? local_priority : further_priority);
      run.rounds = options_.preset->grid_rounds;
      run.visit_seconds = visit_seconds();
      push(std::move(run));
    }
  }
}

}  // namespace gable::bench
