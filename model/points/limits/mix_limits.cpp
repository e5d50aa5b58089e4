#include "model/points/limits/mix_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "model/points/limits/everywhere.hpp"
#include "model/points/threads.hpp"
#include "model/records/names.hpp"

namespace gable::model {
namespace {

// Sets the bounds from the seconds of 1 GB, without a fitted model.
void set_bounds(Limit& limit, double longest, double sum) {
  limit.fitted = false;
  limit.lo = 1 / sum;
  limit.value = limit.hi = 1 / longest;
}

using TierShares = std::map<Tiers, std::map<int, double>>;

TierShares by_tier(const Roofs& roofs, const std::map<int, double>& shares) {
  TierShares tiers;
  for (const auto& [node, share] : shares) tiers[tier_of(roofs, node)][node] = share;
  return tiers;
}

double sum_of(const std::map<int, double>& shares) {
  double sum = 0;
  for (const auto& [node, share] : shares) sum += share;
  return sum;
}

// Whether the shares are about those of interleaving over all of these nodes.
bool is_even(const std::map<int, double>& shares) {
  constexpr double tolerance = 0.25;
  const double even = 1 / static_cast<double>(shares.size());
  return std::ranges::all_of(
      shares, [&](const auto& each) { return std::abs(each.second - even) <= tolerance * even; });
}

// The roof of a tier's part while all clusters use it; of its local node alone where no other was measured.
const Limit* roof_of_part(const std::vector<Limit>& all, Tiers tier, const std::map<int, double>& nodes,
                          bool local) {
  const auto found = std::ranges::find_if(all, [&](const Limit& limit) {
    if (limit.tier != tier) return false;
    if (local) return is_local(limit.pattern) && nodes.contains(limit.node);
    if (nodes.size() > 1) return limit.pattern == Pattern::congested;
    return limit.pattern == Pattern::contended && limit.node == nodes.begin()->first;
  });
  return found == all.end() ? nullptr : &*found;
}

std::optional<Limit> tier_mix(const std::vector<Limit>& all, const TierShares& tiers, bool local) {
  const bool one_each = std::ranges::all_of(tiers, [](const auto& tier) { return tier.second.size() == 1; });
  Limit mix;
  mix.kind = Limit::Kind::hybrid;
  mix.pattern = local ? Pattern::local_all : one_each ? Pattern::contended : Pattern::congested;
  mix.load_share = 0;
  double longest = 0, sum = 0;
  for (const auto& [tier, nodes] : tiers) {
    const Limit* roof = roof_of_part(all, tier, nodes, local);
    if (roof == nullptr) return std::nullopt;
    const double share = sum_of(nodes);
    longest = std::max(longest, share / roof->hi);
    sum += share / roof->lo;
    *mix.load_share += share * *roof->load_share;
    mix.threads = std::max(mix.threads, roof->threads);
    if (local && roof->pattern == Pattern::local) mix.pattern = Pattern::local;
    mix.tiers +=
        fmt::format("{}{} {}", mix.tiers.empty() ? "" : " and ", percent_text(100 * share), name_of(tier));
  }
  set_bounds(mix, longest, sum);
  return mix;
}

// Data on several nodes, each with a roof among `single`: between no and full overlap.
std::optional<Limit> unfitted_mix(const std::vector<Limit>& single, const std::map<int, double>& shares) {
  Limit limit;
  limit.pattern = Pattern::hybrid;
  double longest = 0, sum = 0, loads = 0;
  for (const auto& [node, share] : shares) {
    const auto roof = std::ranges::find(single, node, &Limit::node);
    if (roof == single.end()) return std::nullopt;
    longest = std::max(longest, share / roof->value);
    sum += share / roof->value;
    loads += share * *roof->load_share;
    limit.threads = std::max(limit.threads, roof->threads);
  }
  limit.load_share = loads;
  set_bounds(limit, longest, sum);
  return limit;
}

}  // namespace

std::string shares_text(const std::map<int, double>& shares) {
  std::string text;
  for (auto at = shares.begin(); at != shares.end();) {
    const auto [node, share] = *at;
    const std::string percent = percent_text(100 * share);
    auto end = at;
    int next = node;
    for (; end != shares.end() && end->first == next && percent_text(100 * end->second) == percent; ++end)
      ++next;
    const bool many = next - node > 2;
    text += fmt::format(
        "{}{} on {}", text.empty() ? "" : ", ", percent,
        many ? fmt::format("each of nodes {} to {}", node, next - 1) : fmt::format("node {}", node));
    at = many ? end : std::next(at);
  }
  return text;
}

std::optional<Limit> hybrid_limit(const Roofs& roofs, const Point& point, int cluster,
                                  const std::map<int, double>& shares, const MixModel& hybrid) {
  auto limit = unfitted_mix(measured_limits(roofs, point, cluster, true), shares);
  if (!limit) return std::nullopt;
  limit->kind = Limit::Kind::hybrid;
  limit->target = "hybrid";
  limit->detail = shares_text(shares);
  const MixBandwidth fitted =
      hybrid ? hybrid(cluster, point.cluster < 0 ? 0 : point.threads, memory_mix(point, shares), {})
             : MixBandwidth();
  const int cores = cores_used(roofs, point, cluster);
  const bool has_enough = fitted.threads == 0 || fitted.threads >= cores;
  // Fewer threads than those of the fit may not reach it.
  const int fitted_threads = fitted.threads > 0 ? fitted.threads : cores_of(roofs, cluster);
  const bool is_beyond = fitted_threads > cores && fitted.value > limit->hi;
  if (fitted.value <= 0 || !has_enough || is_beyond) {
    limit->reason = fitted.reason;
    return limit;
  }
  limit->fitted = true;
  limit->load_share.reset();
  limit->value = fitted.value;
  limit->interval = fitted.lo && fitted.hi;
  limit->lo = limit->interval ? *fitted.lo : fitted.value;
  limit->hi = limit->interval ? *fitted.hi : fitted.value;
  if (fitted.threads > 0) limit->threads = fitted.threads;
  return limit;
}

std::optional<Limit> side_cache_mix(const Roofs& roofs, const Point& point, int cluster,
                                    const std::map<int, double>& shares) {
  const std::vector<Limit> caches = measured_limits(roofs, point, cluster, true, true);
  auto limit = unfitted_mix(caches, shares);
  if (!limit) return std::nullopt;
  limit->kind = Limit::Kind::side_cache;
  limit->level = caches.front().level;
  limit->target = limit->level.name();
  limit->detail = shares_text(shares);
  return limit;
}

bool spans_tiers(const Roofs& roofs, const std::map<int, double>& shares) {
  return by_tier(roofs, shares).size() > 1;
}

std::vector<Limit> tier_mixes(const Roofs& roofs, const Point& point, int cluster,
                              const std::map<int, double>& shares, const MixModel& hybrid) {
  const auto estimated = [&](Limit mix, bool local) {
    if (by_tier(roofs, shares).size() == 2)
      predict_mix(mix, roofs, point, cluster, pages_spread(roofs, shares, local), hybrid);
    return mix;
  };
  const std::vector<Limit> all = measured_limits(roofs, point, cluster, false);
  const TierShares tiers = by_tier(roofs, shares);
  std::vector<Limit> mixes;
  Tiers joined;
  for (const auto& [tier, unused] : tiers) {
    if (const auto single = tier.single()) joined.add(*single);
  }
  const auto interleaved = std::ranges::find_if(
      all, [&](const Limit& limit) { return limit.pattern == Pattern::congested && limit.tier == joined; });
  if (interleaved != all.end() && is_even(shares)) {
    mixes.push_back(*interleaved);
  } else if (const auto mix = tier_mix(all, tiers, false)) {
    mixes.push_back(estimated(*mix, false));
  }
  if (may_be_local(roofs, point, cluster, shares)) {
    if (const auto mix = tier_mix(all, tiers, true)) mixes.push_back(estimated(*mix, true));
  }
  ascending(mixes);
  return mixes;
}

}  // namespace gable::model
