#include "model/points/limits/spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/points/limits/everywhere.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/records/names.hpp"

namespace gable::model {
namespace {

constexpr double least_part = 0.02;

using OwnNodes = std::map<int, std::set<int>>;

// The share of all accesses by node and cluster, in one tier.
using Matrix = std::map<int, std::map<int, double>>;

AccessSpread::OfTier of_tier(const Matrix& nodes, const OwnNodes& own) {
  const auto clusters = static_cast<double>(own.size());
  std::map<int, double> foreign;  // by node, of one cluster to which it is not local
  double all = 0, least = std::numeric_limits<double>::infinity();
  for (const auto& [node, by_cluster] : nodes) {
    double sum = 0, others = 0;
    for (const auto& [cluster, its] : own) {
      const auto found = by_cluster.find(cluster);
      const double share = found == by_cluster.end() ? 0 : found->second;
      all += share;
      if (its.contains(node)) continue;
      sum += share;
      ++others;
    }
    foreign[node] = others > 0 ? sum / others : 0;
    least = std::min(least, foreign[node]);
  }
  AccessSpread::OfTier spread;
  if (nodes.size() > 1) spread.congested = least * clusters * static_cast<double>(nodes.size());
  spread.local = all - spread.congested;
  for (const auto& [node, share] : foreign) {
    const double more = (nodes.size() > 1 ? share - least : share) * clusters;
    spread.contended[node] = more;
    spread.local -= more;
  }
  if (spread.local < 0) {  // less than from other clusters: nothing is local
    const double scale = all / (all - spread.local);
    spread.congested *= scale;
    for (auto& [node, share] : spread.contended) share *= scale;
    spread.local = 0;
  }
  return spread;
}

// Visits every share of the spread.
template <typename Visit>
void for_each(AccessSpread& spread, const Visit& visit) {
  for (auto& [tier, part] : spread.tiers) {
    visit(part.local);
    visit(part.congested);
    for (auto& [node, share] : part.contended) visit(share);
  }
}

void drop_small(AccessSpread& spread) {
  double kept = 0;
  for_each(spread, [&](double& share) {
    if (share < least_part) share = 0;
    kept += share;
  });
  for_each(spread, [&](double& share) { share /= kept; });
}

Limit mixed(std::vector<SpreadPart> parts) {
  sort_down_by(parts, &SpreadPart::share);
  Limit mix;
  mix.kind = Limit::Kind::hybrid;
  mix.pattern = Pattern::congested;
  mix.load_share = 0;
  const Tiers tier = parts.front().roof->tier;
  if (std::ranges::all_of(parts, [&](const SpreadPart& part) { return part.roof->tier == tier; }))
    mix.tier = tier;
  double longest = 0, sum = 0;
  for (const SpreadPart& part : parts) {
    longest = std::max(longest, part.share / part.roof->hi);
    sum += part.share / part.roof->lo;
    *mix.load_share += part.share * part.roof->load_share.value_or(1);
    mix.threads = std::max(mix.threads, part.roof->threads);
    mix.target +=
        fmt::format("{}{} {}", mix.target.empty() ? "" : " and ", percent_text(100 * part.share), part.name);
  }
  mix.fitted = false;
  mix.lo = 1 / sum;
  mix.value = mix.hi = 1 / longest;
  return mix;
}

}  // namespace

double AccessSpread::OfTier::sum() const {
  double all = local + congested;
  for (const auto& [node, share] : contended) all += share;
  return all;
}

std::map<int, std::set<int>> own_nodes(const Roofs& roofs) {
  if (!roofs.machine_nodes.empty()) return roofs.machine_nodes;
  std::map<int, std::set<int>> own;
  for (const Roof& roof : roofs.roofs) {
    if (is_memory(roof.spec.level) && roof.spec.pattern == Pattern::local)
      own[roof.spec.cluster].insert(roof.spec.node);
  }
  return own;
}

AccessSpread pages_spread(const Roofs& roofs, const std::map<int, double>& shares, bool local) {
  std::map<Tiers, std::map<int, double>> tiers;
  for (const auto& [node, share] : shares) tiers[tier_of(roofs, node)][node] = share;
  AccessSpread spread;
  for (const auto& [tier, nodes] : tiers) {
    AccessSpread::OfTier& part = spread.tiers[tier];
    for (const auto& [node, share] : nodes)
      (local ? part.local : nodes.size() > 1 ? part.congested : part.contended[node]) += share;
  }
  return spread;
}

std::optional<std::vector<SpreadPart>> spread_parts(const Roofs& roofs, int cluster,
                                                    const std::vector<Limit>& limits, Tiers tier,
                                                    const AccessSpread::OfTier& spread) {
  const std::set<int> own = own_nodes(roofs)[cluster];
  const std::string memory = name_of(tier);
  std::vector<SpreadPart> parts;
  bool known = true;
  const auto add = [&](double share, std::string name, const auto& is) {
    if (share <= 0) return;
    const auto found = std::ranges::find_if(limits, is);
    known = known && found != limits.end();
    if (known) parts.push_back({share, &*found, std::move(name)});
  };
  add(spread.local, memory + " local", [&](const Limit& limit) {
    return is_local(limit.pattern) && own.contains(limit.node) && limit.tier == tier;
  });
  add(spread.congested, memory + " congested",
      [&](const Limit& limit) { return limit.pattern == Pattern::congested && limit.tier == tier; });
  for (const auto& [node, share] : spread.contended) {
    add(share, fmt::format("{} node {} contended", memory, node), [&, wanted = node](const Limit& limit) {
      return limit.pattern == Pattern::contended && limit.node == wanted;
    });
  }
  return known ? std::optional(std::move(parts)) : std::nullopt;
}

std::optional<AccessSpread> access_spread(const Roofs& roofs, const Point& point) {
  const OwnNodes own = own_nodes(roofs);
  if (point.cluster >= 0 || point.access.empty()) return std::nullopt;
  std::map<Tiers, Matrix> tiers;
  double all = 0;
  for (const NodeAccess& access : point.access) {
    if (!own.contains(access.cluster)) return std::nullopt;
    all += access.load + access.store;
  }
  for (const auto& [cluster, nodes] : own) {
    for (const int node : nodes) tiers[tier_of(roofs, node)][node];  // nobody may access it
  }
  for (const NodeAccess& access : point.access)
    tiers[tier_of(roofs, access.node)][access.node][access.cluster] += (access.load + access.store) / all;
  AccessSpread spread;
  for (const auto& [tier, nodes] : tiers) spread.tiers[tier] = of_tier(nodes, own);
  drop_small(spread);
  return spread;
}

std::vector<Limit> spread_limits(const Roofs& roofs, const Point& point, int cluster,
                                 const AccessSpread& spread, const MixModel& hybrid) {
  const std::vector<Limit> all = measured_limits(roofs, point, cluster, false);
  std::vector<SpreadPart> parts;
  std::size_t tiers = 0;
  for (const auto& [tier, part] : spread.tiers) {
    const auto known = spread_parts(roofs, cluster, all, tier, part);
    if (!known) return {};
    parts.insert(parts.end(), known->begin(), known->end());
    tiers += known->empty() ? 0 : 1;
  }
  if (parts.empty()) return {};
  if (parts.size() == 1) return {*parts.front().roof};
  Limit mix = mixed(parts);
  if (tiers == 2) predict_mix(mix, roofs, point, cluster, spread, hybrid);
  return {mix};
}

}  // namespace gable::model
