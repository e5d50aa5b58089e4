#include "model/points/spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/words.hpp"
#include "model/points/mix_limits.hpp"
#include "model/records/names.hpp"

namespace gable::model {
namespace {

constexpr double least_part = 0.02;

using OwnNodes = std::map<int, std::set<int>>;

// The local nodes of each cluster, by the topology or by its local roofs.
OwnNodes own_nodes(const Roofs& roofs) {
  if (!roofs.machine_nodes.empty()) return roofs.machine_nodes;
  OwnNodes own;
  for (const Roof& roof : roofs.roofs) {
    if (is_memory(roof.asked.level) && roof.asked.pattern == Pattern::local)
      own[roof.asked.cluster].insert(roof.asked.node);
  }
  return own;
}

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

// A part of a spread and its roof.
struct Part {
  double share = 0;
  const Limit* roof = nullptr;
  std::string name;
};

class Parts {
 public:
  Parts(const Roofs& roofs, int cluster, const std::vector<Limit>& all)
      : own_(own_nodes(roofs)), cluster_(cluster), all_(all) {}

  void add(Tiers tier, const AccessSpread::OfTier& spread) {
    const std::set<int>& own = own_[cluster_];
    const std::string memory = name_of(tier);
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
  }

  std::vector<Part> take() { return is_known_ ? std::move(parts_) : std::vector<Part>(); }

 private:
  template <typename Is>
  void add(double share, std::string name, const Is& is) {
    if (share <= 0) return;
    const auto found = std::ranges::find_if(all_, is);
    is_known_ = is_known_ && found != all_.end();
    if (is_known_) parts_.push_back({share, &*found, std::move(name)});
  }

  OwnNodes own_;
  int cluster_;
  const std::vector<Limit>& all_;
  std::vector<Part> parts_;
  bool is_known_ = true;
};

Limit mixed(std::vector<Part> parts) {
  std::ranges::stable_sort(parts, std::greater(), &Part::share);
  Limit mix;
  mix.kind = Limit::Kind::hybrid;
  mix.pattern = Pattern::congested;
  mix.load_share = 0;
  const Tiers tier = parts.front().roof->tier;
  if (std::ranges::all_of(parts, [&](const Part& part) { return part.roof->tier == tier; })) mix.tier = tier;
  double longest = 0, sum = 0;
  for (const Part& part : parts) {
    longest = std::max(longest, part.share / part.roof->hi);
    sum += part.share / part.roof->lo;
    *mix.load_share += part.share * part.roof->load_share.value_or(1);
    mix.threads = std::max(mix.threads, part.roof->threads);
    mix.name +=
        fmt::format("{}{} {}", mix.name.empty() ? "" : " and ", percent_text(100 * part.share), part.name);
  }
  mix.fitted = false;
  mix.lo = 1 / sum;
  mix.value = mix.hi = 1 / longest;
  return mix;
}

}  // namespace

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
                                 const AccessSpread& spread) {
  const std::vector<Limit> all = measured_limits(roofs, point, cluster, false);
  Parts parts(roofs, cluster, all);
  for (const auto& [tier, part] : spread.tiers) parts.add(tier, part);
  const std::vector<Part> known = parts.take();
  if (known.empty()) return {};
  return {known.size() == 1 ? *known.front().roof : mixed(known)};
}

}  // namespace gable::model
