#include "model/points/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/points/mix_limits.hpp"
#include "model/points/threads.hpp"
#include "model/records/names.hpp"

namespace gable::model {
namespace {

bool is_target(const Case& asked, const Case& like) {
  return asked.kind == Kind::bandwidth && asked.cluster == like.cluster && asked.level == like.level &&
         asked.pattern == like.pattern &&
         (is_in_cache(like.pattern) || (asked.node == like.node && asked.tier == like.tier));
}

// The best roof of this target, with threads for so many cores, whose operation is nearest to the Point's
// mix. Of a Point that uses a part of the cores, the number of threads comes first.
const Roof* nearest_mix(const Roofs& roofs, const Point& point, const Case& like, int cores) {
  const int threads =
      judging_threads(roofs, like.cluster, cores, [&](const Case& asked) { return is_target(asked, like); });
  const Roof* best = nullptr;
  double best_distance = 2;
  for (const Roof& roof : roofs.roofs) {
    const Case& asked = roof.asked;
    if (roof.status != Status::ok || !is_target(asked, like) || !has_threads(roof, cores)) continue;
    if (threads > 0 && asked.threads != threads) continue;
    const auto share = load_share_of(asked.op);
    if (!share) continue;
    const double distance = std::abs(*share - load_share(point));
    const bool nearer = distance < best_distance - 1e-9;
    const bool as_near = distance < best_distance + 1e-9;
    if (nearer || (as_near && is_better(roof, *best))) best = &roof;
    if (nearer) best_distance = distance;
  }
  return best;
}

bool has_local_all(const Roofs& roofs, int cluster) {
  return std::any_of(roofs.roofs.begin(), roofs.roofs.end(), [&](const Roof& roof) {
    return roof.status == Status::ok && roof.asked.cluster == cluster && is_local(roof.asked.pattern) &&
           busy_everywhere(roof.asked.pattern);
  });
}

bool is_memory_pattern(const Roofs& roofs, const Case& asked, bool alone) {
  if (!is_in_memory(asked.pattern) || !makes_roof(asked.pattern)) return false;
  if (busy_everywhere(asked.pattern)) return !alone;
  return alone || (is_local(asked.pattern) && !has_local_all(roofs, asked.cluster));
}

// All clusters at once: one node is contended. Several are congested, or each thread's data is local to
// it. Shares of pages cannot distinguish these; the policy may.
bool applies(const Roofs& roofs, const Limit& limit, const std::map<int, double>& shares,
             const std::string& policy) {
  if (shares.size() == 1) {
    const int node = shares.begin()->first;
    return limit.pattern == Pattern::contended && limit.node == node;
  }
  if (limit.pattern == Pattern::contended) return false;
  if (limit.pattern != Pattern::congested)
    return shares.contains(limit.node) && may_be_local(roofs, policy, shares);
  if (limit.kind == Limit::Kind::side_cache) return true;  // of whatever memory is behind it
  const auto in_tier = [&](const auto& share) { return limit.tier == tier_of(roofs, share.first); };
  return std::any_of(shares.begin(), shares.end(), in_tier);
}

void keep_applying(const Roofs& roofs, const Point& point, const std::map<int, double>& shares,
                   std::vector<Limit>& limits) {
  std::erase_if(limits, [&](const Limit& limit) {
    return point.alone ? limit.node != shares.begin()->first : !applies(roofs, limit, shares, point.policy);
  });
}

}  // namespace

bool may_be_local(const Roofs& roofs, const std::string& policy, const std::map<int, double>& shares) {
  if (policy.starts_with("interleave") || policy.starts_with("weighted")) return false;
  std::map<int, bool> has_own;  // by cluster whose own nodes are known
  for (const Roof& roof : roofs.roofs) {
    const Case& asked = roof.asked;
    if (asked.kind != Kind::bandwidth || !is_local(asked.pattern)) continue;
    has_own[asked.cluster] = has_own[asked.cluster] || shares.contains(asked.node);
  }
  return std::ranges::all_of(has_own, [](const auto& cluster) { return cluster.second; });
}

double load_share(const Point& point) {
  const double bytes = point.load_bytes + point.store_bytes;
  return bytes > 0 ? point.load_bytes / bytes : 1;
}

bool has_like_mix(const Limit& limit, const Point& point) {
  constexpr double tolerance = 0.25;
  return !limit.load_share || std::abs(*limit.load_share - load_share(point)) <= tolerance;
}

std::vector<Limit> measured_limits(const Roofs& roofs, const Point& point, int cluster, bool alone,
                                   bool side_caches) {
  const int cores = cores_used(roofs, point, cluster);
  std::vector<Limit> limits;
  std::vector<Case> seen;
  for (const Roof& roof : roofs.roofs) {
    Case like;
    like.cluster = cluster;
    like.level = roof.asked.level;
    like.pattern = roof.asked.pattern;
    like.node = roof.asked.node;
    like.tier = roof.asked.tier;
    if (roof.asked.kind != Kind::bandwidth || is_memory(roof.asked.level) == side_caches ||
        roof.asked.cluster != cluster || !is_memory_pattern(roofs, roof.asked, alone))
      continue;
    if (std::find(seen.begin(), seen.end(), like) != seen.end()) continue;
    seen.push_back(like);
    if (const Roof* best = nearest_mix(roofs, point, like, cores)) limits.push_back(limit_of(*best));
  }
  ascending(limits);
  return limits;
}

Tiers tier_of(const Roofs& roofs, int node) {
  for (const Roof& roof : roofs.roofs) {
    if (is_memory(roof.asked.level) && roof.asked.node == node) return roof.asked.tier;
  }
  const auto known = roofs.machine_tiers.find(node);
  return known == roofs.machine_tiers.end() ? Tiers() : known->second;
}

Limit limit_of(const Roof& roof) {
  const Case& asked = roof.asked;
  Limit limit;
  const bool memory = is_memory(asked.level);
  limit.kind = memory                       ? Limit::Kind::memory
               : is_in_cache(asked.pattern) ? Limit::Kind::cache
                                            : Limit::Kind::side_cache;
  limit.level = asked.level;
  limit.op = asked.op;
  limit.precision = asked.precision;
  limit.tier = asked.tier;
  limit.name = is_peak(asked.kind) ? name_of(asked, Style::target)
                                   : fmt::format("{} ({})", name_of(asked, Style::target), asked.op.name());
  limit.pattern = asked.pattern;
  limit.node = asked.node;
  limit.threads = asked.threads;
  if (asked.kind == Kind::bandwidth) limit.load_share = load_share_of(asked.op);
  limit.value = roof.value;
  limit.lo = roof.lo;
  limit.hi = roof.hi;
  limit.interval = roof.lo < roof.hi;  // most published figures have none
  return limit;
}

void ascending(std::vector<Limit>& limits) {
  std::stable_sort(limits.begin(), limits.end(),
                   [](const Limit& a, const Limit& b) { return a.value < b.value; });
}

std::map<int, double> node_shares(const Point& point) {
  constexpr double least = 0.02;
  double all = 0;
  for (const auto& [node, bytes] : point.node_bytes) all += static_cast<double>(bytes);
  std::map<int, double> shares;
  double kept = 0;
  for (const auto& [node, bytes] : point.node_bytes) {
    const double share = static_cast<double>(bytes) / all;
    if (all <= 0 || share < least) continue;
    shares[node] = share;
    kept += share;
  }
  for (auto& [node, share] : shares) share /= kept;
  return shares;
}

std::vector<Limit> memory_limits(const Roofs& roofs, const Point& point, int cluster,
                                 const std::map<int, double>& shares, const MixModel& hybrid) {
  if (point.alone && shares.size() > 1) {
    const auto limit = hybrid_limit(roofs, point, cluster, shares, hybrid);
    return limit ? std::vector{*limit} : std::vector<Limit>{};
  }
  if (!point.alone && spans_tiers(roofs, shares)) return tier_mixes(roofs, point, cluster, shares);
  std::vector<Limit> limits = measured_limits(roofs, point, cluster, point.alone);
  if (!shares.empty()) keep_applying(roofs, point, shares, limits);
  return limits;
}

std::vector<Limit> side_cache_limits(const Roofs& roofs, const Point& point, int cluster,
                                     const std::map<int, double>& shares) {
  if (point.alone && shares.size() > 1) {
    const auto mix = side_cache_mix(roofs, point, cluster, shares);
    return mix ? std::vector{*mix} : std::vector<Limit>{};
  }
  std::vector<Limit> limits = measured_limits(roofs, point, cluster, point.alone, true);
  if (!shares.empty()) keep_applying(roofs, point, shares, limits);
  return limits;
}

std::vector<Limit> cache_limits(const Roofs& roofs, const Point& point, int cluster) {
  const int cores = cores_used(roofs, point, cluster);
  std::vector<Limit> limits;
  for (int level = 1; level <= 9; ++level) {
    Case like;
    like.cluster = cluster;
    like.level = Level::cache(level);
    like.pattern = Pattern::cache;
    if (const Roof* best = nearest_mix(roofs, point, like, cores)) limits.push_back(limit_of(*best));
  }
  ascending(limits);
  return limits;
}

}  // namespace gable::model
