#include "model/points/needs/fewer_cores.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/words.hpp"
#include "model/points/threads.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

void scale_roof(Limit& limit, double least, double most) {
  limit.value *= least;
  limit.lo *= least;
  limit.hi *= most;
  limit.interval = limit.interval || most > least;
}

struct WorkingSets {
  double from = 0, to = 0;
};

// The size of a cache that one thread may use, and the most that it may have; 0: unknown.
WorkingSets sizes_of(const CacheLevel& cache) {
  const auto claimed = static_cast<double>(cache.claimed_bytes);
  const auto measured = static_cast<double>(cache.measured_bytes);
  return {cache.confirmed || measured <= 0 ? claimed : measured, std::max(claimed, measured)};
}

// The sizes between which a working set is served by the level: well beyond the cache before, well within its
// own; with `tight` false just beyond and within. Nothing if a size is not known.
WorkingSets working_sets(const Roofs& roofs, int cluster, const Level& level, bool tight) {
  constexpr double beyond = 2, within = 0.6, beyond_all = 4;
  const bool of_memory = is_memory(level);
  WorkingSets sets;
  for (const CacheLevel& cache : roofs.levels) {
    if (cache.cluster != cluster) continue;
    const auto [usable, most] = sizes_of(cache);
    if (cache.level == level) sets.to = (tight ? within : 1) * usable;
    if (cache.level < level)
      sets.from = std::max(sets.from, most * (!tight ? 1 : of_memory ? beyond_all : beyond));
  }
  if (of_memory && sets.from > 0) sets.to = std::numeric_limits<double>::infinity();
  return sets;
}

// The steps of the cluster's ladder at which one thread loads.
std::vector<const Roof*> loads_of_one_thread(const Roofs& roofs, int cluster) {
  std::vector<const Roof*> steps;
  for (const Roof& step : roofs.ladder) {
    const Case& spec = step.spec;
    if (step.status == Status::ok && spec.kind == Kind::bandwidth && spec.cluster == cluster &&
        spec.threads == 1 && spec.op == operations::load)
      steps.push_back(&step);
  }
  return steps;
}

// GB/s that the threads of the measurement load from its level with the kernel, or with any; 0: not known.
double of_all_threads(const Roofs& roofs, const Case& of, const std::string& kernel) {
  double most = 0;
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    if (spec.kind == Kind::bandwidth && roof.status == Status::ok && spec.cluster == of.cluster &&
        spec.op == operations::load && spec.level == of.level && spec.pattern == of.pattern &&
        spec.node == of.node && spec.threads == of.threads && (kernel.empty() || spec.kernel == kernel))
      most = std::max(most, roof.value);
  }
  return most;
}

// The steps of the cluster's ladder that the level serves.
std::vector<const Roof*> steps_of_level(const Roofs& roofs, int cluster, const Level& level) {
  const std::vector<const Roof*> steps = loads_of_one_thread(roofs, cluster);
  for (const bool tight : {true, false}) {
    const WorkingSets sets = working_sets(roofs, cluster, level, tight);
    std::vector<const Roof*> served;
    for (const Roof* step : steps) {
      const auto bytes = static_cast<double>(step->spec.bytes);
      if (bytes >= sets.from && bytes <= sets.to && (tight || bytes > sets.from)) served.push_back(step);
    }
    if (!served.empty()) return served;
  }
  return {};
}

// Their median; 0: there are none.
double median_rate(const std::vector<const Roof*>& steps) {
  std::vector<double> rates;
  for (const Roof* step : steps) rates.push_back(step->value);
  return rates.empty() ? 0 : median(rates);
}

}  // namespace

double rate_of_one_thread(const Roofs& roofs, int cluster, const Level& level) {
  return median_rate(steps_of_level(roofs, cluster, level));
}

double part_of_one_thread(const Roofs& roofs, const Case& of) {
  std::map<std::string, std::vector<const Roof*>> by_kernel;
  const std::vector<const Roof*> steps = steps_of_level(roofs, of.cluster, of.level);
  for (const Roof* step : steps) by_kernel[step->spec.kernel].push_back(step);
  const auto most =
      std::ranges::max_element(by_kernel, {}, [](const auto& each) { return each.second.size(); });
  if (most == by_kernel.end()) return 0;
  if (const double all = of_all_threads(roofs, of, most->first); all > 0)
    return median_rate(most->second) / all;
  const double all = of_all_threads(roofs, of, "");
  return all > 0 ? median_rate(steps) / all : 0;
}

void keep_cores(const Roofs& roofs, const Point& point, int cluster, Limit& limit) {
  constexpr double fastest = 2;
  const int cores = cores_used(roofs, point, cluster);
  const int used = std::min(limit.threads, cores_of(roofs, cluster));  // hardware threads share cores
  if (cores <= 0 || used <= cores) return;
  const double part = static_cast<double>(cores) / used;
  const bool is_cache = limit.kind == Limit::Kind::cache;
  const bool is_local = limit.kind == Limit::Kind::memory && limit.pattern == Pattern::local;
  if (limit.kind == Limit::Kind::flops) {
    scale_roof(limit, part, std::min(1.0, fastest * part));
    return;
  }
  if (!is_cache && !is_local) return;
  Case measured = limit.measured;
  measured.cluster = cluster;
  measured.level = limit.level;
  measured.pattern = limit.pattern;
  measured.threads = limit.threads;
  const double of_one = point.alone ? part_of_one_thread(roofs, measured) : 0;
  const std::string of = count_text(cores, "core");
  if (of_one > 0) {
    const double reached = std::min(1.0, cores * of_one);
    scale_roof(limit, reached, reached);
    limit.estimate = "estimated for " + of + " from the ladder of one thread";
    limit.threads = cores;
  } else {
    scale_roof(limit, is_cache ? part : 1, 1);
    limit.lo = std::min(limit.lo, part * limit.hi);
    limit.interval = true;
    limit.estimate = "what " + of + " of these reach was not measured";
  }
}

}  // namespace gable::model
