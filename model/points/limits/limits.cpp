#include "model/points/limits/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/sorting.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/limits/mix_roof.hpp"
#include "model/points/limits/spread.hpp"
#include "model/points/threads.hpp"
#include "model/records/names.hpp"
#include "model/roofs/interval.hpp"

namespace gable::model {
namespace {

// Whether the node belongs to this cluster and to no other.
bool is_own_node(const Roofs& roofs, int cluster, int node) {
  bool own = false;
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    if (spec.kind != Kind::bandwidth || !is_local(spec.pattern) || spec.node != node) continue;
    if (spec.cluster != cluster) return false;
    own = true;
  }
  return own;
}

// All clusters at once: one node is contended, and several are congested; or each thread's data is local to
// it. Shares of pages cannot distinguish these; the policy may.
bool applies(const Roofs& roofs, const Point& point, int cluster, const Limit& limit,
             const std::map<int, double>& shares) {
  if (limit.pattern == Pattern::contended) return shares.size() == 1 && shares.contains(limit.node);
  if (limit.pattern != Pattern::congested)
    return shares.contains(limit.node) && may_be_local(roofs, point, cluster, shares);
  if (shares.size() == 1) return false;
  if (limit.kind == Limit::Kind::side_cache) return true;  // of whatever memory is behind it
  const auto in_tier = [&](const auto& share) { return limit.tier == tier_of(roofs, share.first); };
  return std::ranges::any_of(shares, in_tier);
}

void keep_applying(const Roofs& roofs, const Point& point, int cluster, const std::map<int, double>& shares,
                   std::vector<Limit>& limits) {
  std::erase_if(limits, [&](const Limit& limit) {
    return point.alone ? limit.node != shares.begin()->first : !applies(roofs, point, cluster, limit, shares);
  });
  // Data on one node while all clusters are busy may be contended: without that roof, the others say too
  // little.
  const bool may_be_contended = !point.alone && shares.size() == 1;
  const auto is_contended = [](const Limit& limit) { return limit.pattern == Pattern::contended; };
  if (may_be_contended && std::ranges::none_of(limits, is_contended)) limits.clear();
}

}  // namespace

bool may_be_local(const Roofs& roofs, const Point& point, int cluster, const std::map<int, double>& shares) {
  const std::string& policy = point.policy;
  if (policy.starts_with("interleave") || policy.starts_with("weighted")) return false;
  if (point.cluster >= 0) {
    const bool follows = policy.empty() || policy == "first-touch";
    return follows && std::ranges::any_of(shares, [&](const auto& share) {
             return is_own_node(roofs, cluster, share.first);
           });
  }
  if (shares.size() < 2) return false;
  std::map<int, bool> has_own;  // by cluster whose own nodes are known
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    if (spec.kind != Kind::bandwidth || !is_local(spec.pattern)) continue;
    has_own[spec.cluster] = has_own[spec.cluster] || shares.contains(spec.node);
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

Tiers tier_of(const Roofs& roofs, int node) {
  for (const Roof& roof : roofs.roofs) {
    if (is_memory(roof.spec.level) && roof.spec.node == node) return roof.spec.tier;
  }
  const auto known = roofs.machine_tiers.find(node);
  return known == roofs.machine_tiers.end() ? Tiers() : known->second;
}

std::string Limit::name() const {
  if (!tiers.empty()) return fmt::format("{}, {}", tiers, pattern_text(pattern));
  return detail.empty() ? target : fmt::format("{} ({})", target, detail);
}

Limit limit_of(const Roof& roof) {
  const Case& spec = roof.spec;
  Limit limit;
  const bool memory = is_memory(spec.level);
  limit.measured = spec;
  limit.kind = memory                      ? Limit::Kind::memory
               : is_in_cache(spec.pattern) ? Limit::Kind::cache
                                           : Limit::Kind::side_cache;
  limit.level = spec.level;
  limit.op = spec.op;
  limit.precision = spec.precision;
  limit.tier = spec.tier;
  limit.target = name_of(spec, Style::target);
  if (!in_registers(spec.kind)) limit.detail = spec.op.name();
  limit.pattern = spec.pattern;
  limit.node = spec.node;
  limit.threads = spec.threads;
  if (spec.kind == Kind::bandwidth) limit.load_share = load_share_of(spec.op);
  limit.value = roof.value;
  const bool explained = is_95_interval(roof);
  limit.lo = explained ? roof.lo : roof.value;
  limit.hi = explained ? roof.hi : roof.value;
  limit.interval = limit.lo < limit.hi;
  return limit;
}

LimitPart limited_part(const Limit& limit) {
  switch (limit.kind) {
    case Limit::Kind::flops:
    case Limit::Kind::path:
    case Limit::Kind::integer:
    case Limit::Kind::loads:
    case Limit::Kind::iterations:
      return LimitPart::core;
    case Limit::Kind::cache:
      return is_first_cache(limit.level) ? LimitPart::core : LimitPart::transfer;
    case Limit::Kind::memory:
    case Limit::Kind::hybrid:
    case Limit::Kind::side_cache:
      return LimitPart::transfer;
    case Limit::Kind::irregular:
    case Limit::Kind::chain:
    case Limit::Kind::walks:
    case Limit::Kind::branches:
    case Limit::Kind::contention:
      break;
  }
  return LimitPart::waiting;
}

std::optional<Level> limited_level(const Limit& limit) {
  const bool is_irregular_in_cache = limit.kind == Limit::Kind::irregular && is_cache(limit.level);
  if (limit.kind == Limit::Kind::cache || is_irregular_in_cache) return limit.level;
  if (limited_part(limit) == LimitPart::transfer || limit.kind == Limit::Kind::irregular)
    return Level::memory();
  return {};
}

void ascending(std::vector<Limit>& limits) {
  sort_by(limits, &Limit::value);
}

namespace {

// GB/s of a cluster at memory level, which may be fewer than its instructions request, or whole lines where
// they request parts of them; 0: not known. Samples tell shares alone. A kernel that overwrites the lines
// that it fetched moves as many as it fetched; those of the hybrid grid do not fetch what they overwrite.
double rate_of_access(const Roofs& roofs, const Point& point, const Limit& limit) {
  if (point.access_source == AccessSource::samples) return 0;
  LoadStore all;
  for (const NodeAccess& access : point.access) {
    all.load += access.load;
    all.store += access.store;
  }
  const bool is_of_grid = limit.kind == Limit::Kind::hybrid && limit.fitted;
  const double bytes = is_of_grid ? all.sum() : std::max(all.load, all.store);
  return cluster_share(roofs, point) * bytes / point.seconds / 1e9;
}

std::vector<Limit> limits_at(const Roofs& roofs, const Point& point, int cluster,
                             const std::map<int, double>& shares, const MixModel& hybrid) {
  if (point.alone && shares.size() > 1) {
    const auto limit = hybrid_limit(roofs, point, cluster, shares, hybrid);
    return limit ? std::vector{*limit} : std::vector<Limit>{};
  }
  if (point.cluster < 0 && !point.access.empty() && shares == node_shares(point)) {
    if (const auto spread = access_spread(roofs, point))
      return spread_limits(roofs, point, cluster, *spread, hybrid);
  }
  if (!point.alone && spans_tiers(roofs, shares)) return tier_mixes(roofs, point, cluster, shares, hybrid);
  std::vector<Limit> limits = measured_limits(roofs, point, cluster, point.alone);
  if (!shares.empty()) keep_applying(roofs, point, cluster, shares, limits);
  return limits;
}

}  // namespace

std::vector<Limit> memory_limits(const Roofs& roofs, const Point& point, int cluster,
                                 const std::map<int, double>& shares, const MixModel& hybrid) {
  std::vector<Limit> limits = limits_at(roofs, point, cluster, shares, hybrid);
  for (Limit& limit : limits) limit.rate = rate_of_access(roofs, point, limit);
  return limits;
}

bool has_side_cache(const std::vector<LevelBytes>& levels) {
  return std::ranges::any_of(levels, [](const LevelBytes& bytes) { return is_side_cache(bytes.level); });
}

std::vector<Limit> side_cache_limits(const Roofs& roofs, const Point& point, int cluster,
                                     const std::map<int, double>& shares) {
  if (point.alone && shares.size() > 1) {
    const auto mix = side_cache_mix(roofs, point, cluster, shares);
    return mix ? std::vector{*mix} : std::vector<Limit>{};
  }
  std::vector<Limit> limits = measured_limits(roofs, point, cluster, point.alone, true);
  if (!shares.empty()) keep_applying(roofs, point, cluster, shares, limits);
  return limits;
}

std::optional<Limit> cache_limit(const Roofs& roofs, const Point& point, int cluster, const Level& level) {
  Case like;
  like.cluster = cluster;
  like.level = level;
  like.pattern = Pattern::cache;
  return roof_of_mix(BandwidthRoofs(roofs, cluster), point, like, cores_used(roofs, point, cluster));
}

std::vector<Limit> cache_limits(const Roofs& roofs, const Point& point, int cluster) {
  std::vector<Limit> limits;
  for (int level = 1; level <= 9; ++level) {
    if (const auto limit = cache_limit(roofs, point, cluster, Level::cache(level))) limits.push_back(*limit);
  }
  ascending(limits);
  return limits;
}

}  // namespace gable::model
