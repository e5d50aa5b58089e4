#include "model/points/limits/mix_roof.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <vector>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/points/threads.hpp"
#include "model/records/question.hpp"
#include "model/roofs/best.hpp"

namespace gable::model {
namespace {

using Candidates = std::vector<const Roof*>;

// The limit of something that is `part` like `a` and otherwise like `b`: the times of a byte add up.
Limit mixed(const Limit& a, const Limit& b, double part) {
  const auto add = [&](double of_a, double of_b) { return 1 / (part / of_a + (1 - part) / of_b); };
  Limit limit = part >= 0.5 ? a : b;
  limit.value = add(a.value, b.value);
  limit.lo = add(a.lo, b.lo);
  limit.hi = add(a.hi, b.hi);
  limit.interval = a.interval && b.interval;
  return limit;
}

std::map<double, const Roof*> best_by_loads(const Candidates& candidates) {
  std::map<double, const Roof*> best;
  for (const Roof* roof : candidates) {
    const Roof*& known = best[*load_share_of(roof->spec.op)];
    if (known == nullptr || is_better(*roof, *known)) known = roof;
  }
  return best;
}

std::optional<Limit> by_loads(const Candidates& candidates, double loads) {
  constexpr double same = 0.02;
  const std::map<double, const Roof*> best = best_by_loads(candidates);
  if (best.empty()) return std::nullopt;
  const auto more = best.lower_bound(loads - same);
  if (more == best.end()) return limit_of(*best.rbegin()->second);
  if (more == best.begin() || std::abs(more->first - loads) <= same) return limit_of(*more->second);
  const auto fewer = std::prev(more);
  const double part = (loads - fewer->first) / (more->first - fewer->first);
  Limit limit = mixed(limit_of(*more->second), limit_of(*fewer->second), part);
  limit.op = {};
  limit.load_share = loads;
  limit.detail = percent_text(100 * loads) + " loads";
  return limit;
}

// Among those near it.
bool is_target(const Case& spec, const Case& like) {
  return spec.pattern == like.pattern && spec.level == like.level &&
         (is_in_cache(like.pattern) || spec.tier == like.tier);
}

Candidates candidates_of(const BandwidthRoofs& roofs, const Point& point, const Case& like, int cores) {
  Candidates targets = those(roofs.near(like), [&](const Roof* roof) {
    return roof->status == Status::ok && is_target(roof->spec, like);
  });
  keep_judging(targets, cores, cores_of(roofs.all(), like.cluster));
  std::erase_if(targets, [&](const Roof* roof) {
    const Operation& op = roof->spec.op;
    return !load_share_of(op) || (!point.levels.empty() && bypasses_caches(op));
  });
  return targets;
}

std::pair<int, int> cluster_and_node(const Case& spec) {
  return {spec.cluster, is_in_cache(spec.pattern) ? -1 : spec.node};
}

std::string pages_words(double huge) {
  constexpr double none = 0.005;
  return huge <= none       ? "small pages"
         : huge >= 1 - none ? "huge pages"
                            : percent_text(100 * huge) + " on huge pages";
}

}  // namespace

bool is_huge(Pages pages) {
  constexpr std::uint64_t least = 1 << 20;
  return pages.bytes() >= least;
}

BandwidthRoofs::BandwidthRoofs(const Roofs& roofs, int cluster) : roofs_(roofs) {
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.kind == Kind::bandwidth && (cluster < 0 || roof.spec.cluster == cluster))
      near_[cluster_and_node(roof.spec)].push_back(&roof);
  }
}

const std::vector<const Roof*>& BandwidthRoofs::near(const Case& like) const {
  static const std::vector<const Roof*> none;
  const auto found = near_.find(cluster_and_node(like));
  return found == near_.end() ? none : found->second;
}

std::optional<Limit> roof_of_mix(const BandwidthRoofs& roofs, const Point& point, const Case& like,
                                 int cores) {
  const Candidates all = candidates_of(roofs, point, like, cores);
  const double loads = load_share(point);
  // Every TLB covers the first cache, so its best figure holds for both sizes of pages.
  if (!point.huge_pages_percent || is_first_cache(like.level)) return by_loads(all, loads);
  Candidates of_huge, of_small;
  for (const Roof* roof : all) (is_huge(roof->spec.pages) ? of_huge : of_small).push_back(roof);
  if (of_huge.empty() || of_small.empty()) return by_loads(all, loads);
  const double huge = *point.huge_pages_percent / 100;
  Limit limit = mixed(*by_loads(of_huge, loads), *by_loads(of_small, loads), huge);
  if (is_memory(like.level)) limit.detail += ", " + pages_words(huge);
  return limit;
}

}  // namespace gable::model
