#include "model/points/needs/fewer_cores.hpp"

#include <algorithm>

#include "base/words.hpp"
#include "model/points/threads.hpp"

namespace gable::model {
namespace {

void scale_roof(Limit& limit, double least, double most) {
  limit.value *= least;
  limit.lo *= least;
  limit.hi *= most;
  limit.interval = limit.interval || most > least;
}

// The sizes between which a working set is served by the level: well beyond the cache before, well within its
// own. Nothing if a size is not known.
struct WorkingSets {
  double from = 0, to = 0;
};

WorkingSets working_sets(const Roofs& roofs, int cluster, const Level& level) {
  constexpr double beyond = 2, within = 0.6, memory = 4;
  WorkingSets sets;
  for (const CacheLevel& cache : roofs.levels) {
    if (cache.cluster != cluster) continue;
    const double bytes = static_cast<double>(cache.confirmed ? cache.claimed_bytes : cache.measured_bytes);
    if (bytes <= 0) continue;
    if (cache.level == level) sets.to = within * bytes;
    if (cache.level < level) sets.from = std::max(sets.from, (is_memory(level) ? memory : beyond) * bytes);
  }
  if (is_memory(level)) sets.to = 1e300;
  return sets;
}

// GB/s that one thread loads from the level, by the ladder; 0: not known.
double of_one_thread(const Roofs& roofs, int cluster, const Level& level) {
  const WorkingSets sets = working_sets(roofs, cluster, level);
  double most = 0;
  for (const Roof* step : loads_of_one_thread(roofs, cluster)) {
    const auto bytes = static_cast<double>(step->spec.bytes);
    if (bytes >= sets.from && bytes <= sets.to) most = std::max(most, step->value);
  }
  return most;
}

// GB/s that all threads of the limit load from its level; 0: not known.
double of_all_threads(const Roofs& roofs, const Point& point, int cluster, const Limit& limit) {
  double most = 0;
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    if (spec.kind == Kind::bandwidth && roof.status == Status::ok && spec.cluster == cluster &&
        spec.op == operations::load && spec.level == limit.level && spec.pattern == limit.pattern &&
        spec.node == limit.measured.node && spec.threads == limit.threads)
      most = std::max(most, roof.value);
  }
  return point.alone ? most : 0;
}

}  // namespace

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

void keep_cores(const Roofs& roofs, const Point& point, int cluster, Limit& limit) {
  constexpr double fastest = 2;
  const int cores = cores_used(roofs, point, cluster);
  if (cores <= 0 || limit.threads <= cores) return;
  const double part = static_cast<double>(cores) / limit.threads;
  const bool is_cache = limit.kind == Limit::Kind::cache;
  const bool is_local = limit.kind == Limit::Kind::memory && limit.pattern == Pattern::local;
  if (limit.kind == Limit::Kind::flops) {
    scale_roof(limit, part, std::min(1.0, fastest * part));
    return;
  }
  if (!is_cache && !is_local) return;
  const double one = of_one_thread(roofs, cluster, limit.level);
  const double all = of_all_threads(roofs, point, cluster, limit);
  const std::string of = count_text(cores, "core");
  if (one > 0 && all > 0) {
    const double reached = std::min(1.0, cores * one / all);
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
