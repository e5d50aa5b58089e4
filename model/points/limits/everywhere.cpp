#include "model/points/limits/everywhere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/hybrid/everywhere.hpp"
#include "model/points/limits/mix_limits.hpp"

namespace gable::model {
namespace {

// What was measured with loads alone (1) or stores alone (0) while all clusters ran.
std::vector<Limit> pure_limits(const Roofs& roofs, const Point& point, int cluster, double loads) {
  Point pure = point;
  pure.levels.clear();
  pure.load_bytes = loads;
  pure.store_bytes = 1 - loads;
  std::vector<Limit> limits = measured_limits(roofs, pure, cluster, false);
  std::erase_if(limits,
                [&](const Limit& limit) { return std::abs(limit.load_share.value_or(-1) - loads) > 1e-9; });
  return limits;
}

// The parts of a tier take turns; 0 without a roof of one of them.
double bandwidth_of(const Roofs& roofs, int cluster, const std::vector<Limit>& limits, Tiers tier,
                    const AccessSpread::OfTier& spread) {
  double share = 0, seconds = 0;
  const std::optional<std::vector<SpreadPart>> parts = spread_parts(roofs, cluster, limits, tier, spread);
  if (!parts) return 0;
  for (const SpreadPart& part : *parts) {
    share += part.share;
    seconds += part.share / part.roof->value;
  }
  return seconds > 0 ? share / seconds : 0;
}

// A tier that is not used: as most of the others' accesses.
void spread_unused(AccessSpread& spread) {
  AccessSpread::OfTier sum;
  for (const auto& [tier, part] : spread.tiers) {
    sum.local += part.local;
    sum.congested += part.sum() - part.local;
  }
  for (auto& [tier, part] : spread.tiers) {
    if (part.sum() <= 0) (sum.local >= sum.congested ? part.local : part.congested) = 1;
  }
}

// The loads and stores of each tier, from its accesses or by its pages' shares.
std::map<Tiers, LoadStore> shares_by_tier(const Roofs& roofs, const Point& point) {
  std::map<Tiers, LoadStore> tiers;
  for (const auto& [node, its] : memory_mix(point, node_shares(point))) {
    LoadStore& tier = tiers[tier_of(roofs, node)];
    tier.load += its.load;
    tier.store += its.store;
  }
  return tiers;
}

// Whether every cluster uses its own nodes alone, in every tier.
bool uses_own_nodes(const AccessSpread& spread) {
  return std::ranges::all_of(spread.tiers,
                             [](const auto& tier) { return tier.second.sum() == tier.second.local; });
}

// The local node of the cluster in this tier; -1: none, or several.
int own_node(const Roofs& roofs, int cluster, Tiers tier) {
  int own = -1;
  const std::set<int> nodes = own_nodes(roofs)[cluster];
  for (const int node : nodes) {
    if (tier_of(roofs, node) != tier) continue;
    if (own >= 0) return -1;
    own = node;
  }
  return own;
}

// The use of each tier by a Point of all clusters with this spread, under the roofs of one of them. A tier
// that it does not use is spread as the other one.
std::map<Tiers, TierUse> tier_uses(const Roofs& roofs, const Point& point, int cluster, AccessSpread spread) {
  std::map<Tiers, TierUse> uses;
  for (const auto& [tier, share] : shares_by_tier(roofs, point)) uses[tier].share = share;
  spread_unused(spread);
  const std::vector<Limit> loads = pure_limits(roofs, point, cluster, 1),
                           stores = pure_limits(roofs, point, cluster, 0);
  for (const auto& [tier, part] : spread.tiers)
    uses[tier].gb_per_s = {bandwidth_of(roofs, cluster, loads, tier, part),
                           bandwidth_of(roofs, cluster, stores, tier, part)};
  return uses;
}

}  // namespace

void predict_mix(Limit& mix, const Roofs& roofs, const Point& point, int cluster, const AccessSpread& spread,
                 const MixModel& hybrid) {
  if (!hybrid) return;
  std::map<int, LoadStore> shares;
  AllBusy busy;
  busy.own = uses_own_nodes(spread);
  for (const auto& [tier, use] : tier_uses(roofs, point, cluster, spread)) {
    const int node = own_node(roofs, cluster, tier);
    if (node < 0) return;
    shares[node] = use.share;
    busy.gb_per_s[node] = use.gb_per_s;
  }
  const MixBandwidth found = hybrid(cluster, 0, shares, busy);
  mix.reason = found.reason;
  if (found.value <= 0) return;
  if (!found.estimate.empty())
    mix.estimate = fmt::format(
        "by {}; its interval reaches half way to {:.1f} GB/s (nothing overlaps) and to {:.1f} GB/s "
        "(everything "
        "does){}{}",
        found.estimate, mix.lo, mix.hi, found.check.empty() ? "" : "; ", found.check);
  mix.fitted = true;
  mix.load_share.reset();
  mix.value = found.value;
  mix.interval = found.lo && found.hi;
  mix.lo = found.lo.value_or(found.value);
  mix.hi = found.hi.value_or(found.value);
}

std::optional<OnPair> on_pair(const Roofs& roofs, const Point& point, const HybridPair& pair) {
  OnPair found{{}, pair.fit, point.cluster < 0};
  if (pair.all_clusters && !found.everywhere) return std::nullopt;
  LoadStore slow, fast;
  if (!found.everywhere) {
    std::map<int, LoadStore> mix = memory_mix(point, node_shares(point));
    slow = mix[pair.slow.node];
    fast = mix[pair.fast.node];
  } else {
    std::optional<AccessSpread> spread = access_spread(roofs, point);
    if (!spread) {
      const std::map<int, double> shares = node_shares(point);
      spread = pages_spread(roofs, shares, may_be_local(roofs, point, pair.cluster, shares));
    }
    for (const MemoryNode& node : {pair.slow, pair.fast}) spread->tiers.try_emplace(node.tier);
    std::map<Tiers, TierUse> uses = tier_uses(roofs, point, pair.cluster, *spread);
    slow = uses[pair.slow.tier].share;
    fast = uses[pair.fast.tier].share;
    found.estimated = !pair.all_clusters || !uses_own_nodes(*spread);
    const LoadStore of_slow = uses[pair.slow.tier].gb_per_s, of_fast = uses[pair.fast.tier].gb_per_s;
    if (found.estimated)
      found.fit = with_bandwidths(pair.fit, {{of_slow.load, of_slow.store, of_fast.load, of_fast.store}});
  }
  constexpr double whole = 0.999;  // nodes below 2 % are left out before
  if (slow.sum() + fast.sum() < whole) return std::nullopt;
  found.shares = {{slow.load, slow.store, fast.load, fast.store}};
  return found;
}

}  // namespace gable::model
