#include "bench/schedule/at_once.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gable::bench {

namespace {

// Whether every cache of this level serves one cluster only.
bool each_has_its_own(const machines::Machine& machine, const model::Level& level) {
  const auto is_it = [&](const machines::Cache& cache) { return cache.level == level.number(); };
  int of_clusters = 0;
  for (const machines::Cluster& cluster : machine.clusters) {
    const auto cache = std::ranges::find_if(cluster.caches, is_it);
    if (cache != cluster.caches.end()) of_clusters += cache->count;
  }
  const auto all = std::ranges::find_if(machine.caches, is_it);
  return all != machine.caches.end() && all->count == of_clusters;
}

// Whether no other cluster takes part in what the Case measures: peaks, caches of this cluster alone, and
// steps of the ladder that these hold. Not local memory: several clusters may slow each other down there.
bool serves_one_cluster(const machines::Machine& machine, const model::Case& spec) {
  if (in_registers(spec.kind)) return true;
  if (is_in_cache(spec.pattern)) return each_has_its_own(machine, spec.level);
  if (!is_ladder(spec.pattern)) return false;
  const machines::Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(spec.cluster));
  return each_has_its_own(machine, level_of(cluster, spec.bytes, 1, spec.smt));
}

}  // namespace

void join_private(const machines::Machine& machine, std::vector<Run>& runs) {
  std::map<std::string, std::size_t> first;
  std::vector<Run> joined;
  for (Run& run : runs) {
    if (!run.skip.empty() || run.cases.size() != 1 || !serves_one_cluster(machine, run.cases.front())) {
      joined.push_back(std::move(run));
      continue;
    }
    model::Case like = run.cases.front();
    like.cluster = 0;
    like.node = -1;
    const auto [known, is_new] = first.try_emplace(key(like), joined.size());
    if (is_new) {
      joined.push_back(std::move(run));
      continue;
    }
    Run& together = joined[known->second];
    together.at_once = true;
    together.cases.push_back(std::move(run.cases.front()));
    together.shares.push_back(std::move(run.shares.front()));
  }
  runs = std::move(joined);
}

Run alone(const Run& run, std::size_t share) {
  Run one = run;
  one.cases = {run.cases[share]};
  one.shares = {run.shares[share]};
  one.at_once = false;
  return one;
}

}  // namespace gable::bench
