#include <algorithm>
#include <cmath>
#include <optional>

#include "base/lists.hpp"
#include "model/points/limits/limits.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/limits/mix_roof.hpp"
#include "model/points/threads.hpp"
#include "model/roofs/best.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {

namespace {

// Flops of unknown precision are taken for doubles until they are too fast for that.
void drop_low_sp(std::vector<Limit>& limits) {
  double dp = 0;
  for (const Limit& limit : limits) {
    if (limit.precision == Precision::dp) dp = std::max(dp, limit.value);
  }
  std::erase_if(limits,
                [&](const Limit& limit) { return limit.precision == Precision::sp && limit.value <= dp; });
}

// A Point that executes mostly FMAs, or only additions or multiplications, keeps the peak of these, if it
// is known.
void keep_own_operation(const Point& point, std::vector<Limit>& limits) {
  constexpr double mostly = 50;  // per cent
  const Operation own = point.fma_flops_percent.value_or(0) > mostly ? operations::fma : point.operation;
  const auto is_own = [&](const Limit& limit) { return limit.op == own; };
  if (!own.empty() && std::ranges::any_of(limits, is_own))
    std::erase_if(limits, [&](const Limit& limit) { return !is_own(limit); });
}

bool has_local_all(const Roofs& roofs, int cluster) {
  return std::ranges::any_of(roofs.roofs, [&](const Roof& roof) {
    return roof.status == Status::ok && roof.spec.cluster == cluster && is_local(roof.spec.pattern) &&
           busy_everywhere(roof.spec.pattern);
  });
}

bool is_memory_pattern(const Roofs& roofs, const Case& spec, bool alone) {
  if (!is_in_memory(spec.pattern) || !makes_roof(spec.pattern)) return false;
  if (busy_everywhere(spec.pattern)) return !alone;
  return alone || (is_local(spec.pattern) && !has_local_all(roofs, spec.cluster));
}

// The limit of a Point of all clusters, which share its work evenly: clusters near the node get more of it
// than others, but together they get what the node gives. If the share of a cluster is not known, the node
// gives at least what one cluster alone takes from it, and a cluster's even share is at most the largest
// share that is known.
Limit even_share(const BandwidthRoofs& known_roofs, const Point& point, Case like, Limit limit) {
  const Roofs& roofs = known_roofs.all();
  const auto clusters = std::lround(1 / cluster_share(roofs, point));
  double sum = 0, sum_lo = 0, sum_hi = 0, highest = 0, alone = 0;
  int known = 0;
  for (const int cluster : clusters_of(roofs)) {
    like.cluster = cluster;
    const int cores = cores_used(roofs, point, cluster);
    for (const Pattern pattern : {Pattern::contended, Pattern::local, Pattern::remote}) {
      like.pattern = pattern;
      const std::optional<Limit> own = roof_of_mix(known_roofs, point, like, cores);
      if (!own) continue;
      if (own->pattern != Pattern::contended) {
        alone = std::max(alone, own->value);
        continue;
      }
      ++known;
      sum += own->value;
      sum_lo += own->lo;
      sum_hi += own->hi;
      highest = std::max(highest, own->hi);
      limit.interval = limit.interval && own->interval;
    }
  }
  const auto share = [&](double of_node) { return of_node / static_cast<double>(clusters); };
  limit.value = share(sum);
  limit.lo = share(sum_lo);
  limit.hi = share(sum_hi);
  if (known < clusters) {
    limit.value = limit.lo = share(std::max(sum, alone));
    limit.hi = std::max(highest, limit.value);
    limit.interval = true;
  }
  limit.target += ", even share";
  return limit;
}

}  // namespace

const Roof* best_peak(const Roofs& roofs, const Point& point, int cluster, const Operation& op,
                      Precision precision, int vector_bits) {
  const int cores = cores_used(roofs, point, cluster);
  const auto has_width = [&](const Case& spec) {
    const int bits = vector_bits == 0 ? 0 : 8 * vector_bytes(spec.kernel);
    return bits == 0 || bits == vector_bits;
  };
  std::vector<const Roof*> peaks;
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    if (roof.status == Status::ok && spec.cluster == cluster && is_peak(spec.kind) && spec.op == op &&
        spec.precision == precision && has_width(spec))
      peaks.push_back(&roof);
  }
  keep_judging(peaks, cores, cores_of(roofs, cluster));
  return best(peaks);
}

std::vector<Limit> flop_limits(const Roofs& roofs, const Point& point, int cluster) {
  std::vector<Limit> limits;
  for (const Operation& op : {operations::add, operations::mul, operations::fma}) {
    for (const Precision precision : {Precision::dp, Precision::sp}) {
      if (is_known(point.precision) && point.precision != precision) continue;
      const Roof* best = best_peak(roofs, point, cluster, op, precision);
      if (best == nullptr) continue;
      Limit limit = limit_of(*best);
      limit.kind = Limit::Kind::flops;
      limits.push_back(limit);
    }
  }
  if (point.precision == Precision::none) drop_low_sp(limits);
  keep_own_operation(point, limits);
  ascending(limits);
  return limits;
}

std::vector<Limit> measured_limits(const Roofs& roofs, const Point& point, int cluster, bool alone,
                                   bool side_caches) {
  const int cores = cores_used(roofs, point, cluster);
  const bool of_all = point.cluster < 0 && !alone;
  const BandwidthRoofs known_roofs(roofs, of_all ? -1 : cluster);
  std::vector<Limit> limits;
  std::vector<Case> seen;
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.kind != Kind::bandwidth || roof.spec.cluster != cluster ||
        is_memory(roof.spec.level) == side_caches || !is_memory_pattern(roofs, roof.spec, alone))
      continue;
    Case like;
    like.cluster = cluster;
    like.level = roof.spec.level;
    like.pattern = roof.spec.pattern;
    like.node = roof.spec.node;
    like.tier = roof.spec.tier;
    if (is_among(seen, like)) continue;
    seen.push_back(like);
    const std::optional<Limit> limit = roof_of_mix(known_roofs, point, like, cores);
    if (!limit) continue;
    const bool shared = point.cluster < 0 && like.pattern == Pattern::contended;
    limits.push_back(shared ? even_share(known_roofs, point, like, *limit) : *limit);
  }
  ascending(limits);
  return limits;
}

}  // namespace gable::model
