#include "model/points/needs/waiting.hpp"

#include <algorithm>
#include <optional>

#include "model/points/limits/mix_roof.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"

namespace gable::model {
namespace {

// The least and the most of what was measured: with the sizes of pages that the data may be on, if there are
// such figures.
struct Range {
  double lo = 0, hi = 0;
};

void widen(std::optional<Range>& to, const Roof& roof) {
  to = to ? Range{std::min(to->lo, roof.lo), std::max(to->hi, roof.hi)} : Range{roof.lo, roof.hi};
}

// Whether some of the data may be on pages of this size.
bool may_be_on(const Point& point, Pages pages) {
  constexpr double few = 10;  // per cent
  if (!point.huge_pages_percent || pages.empty()) return true;
  return is_huge(pages) ? *point.huge_pages_percent >= few : *point.huge_pages_percent <= 100 - few;
}

// The latency of a level for one cluster alone; that of memory comes from the nodes of the data.
std::optional<Range> latency_of(const Roofs& roofs, const Point& point, int cluster, const Level& level) {
  const std::map<int, double> shares = node_shares(point);
  std::optional<Range> own, any;
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    if (spec.kind != Kind::latency || roof.status != Status::ok || spec.cluster != cluster ||
        spec.level != level || is_ladder(spec.pattern) || busy_everywhere(spec.pattern))
      continue;
    if (is_memory(level) && !shares.empty() && !shares.contains(spec.node)) continue;
    widen(any, roof);
    if (may_be_on(point, spec.pages)) widen(own, roof);
  }
  return own ? own : any;
}

struct Waited {
  double bytes = 0, lo = 0, hi = 0;  // seconds of one thread
  bool known = true;                 // the latency of every level
};

// `amount` tells the bytes of a level that wait; what a level serves is not fetched from the next one.
template <typename Amount>
Waited waited(const Roofs& roofs, const Point& point, int cluster, const Amount& amount) {
  constexpr double little = 0.01;
  Waited sum;
  for (std::size_t i = 0; i < point.levels.size(); ++i) {
    const double next = i + 1 < point.levels.size() ? amount(point.levels[i + 1]) : 0;
    const double served = std::max(0.0, amount(point.levels[i]) - next);
    if (served <= little * amount(point.levels.front())) continue;
    const auto latency = latency_of(roofs, point, cluster, point.levels[i].level);
    if (!latency) {
      sum.known = false;
      continue;
    }
    const double lines = served / profile_line_bytes;
    sum.bytes += served;
    sum.lo += lines * latency->lo * 1e-9;
    sum.hi += lines * latency->hi * 1e-9;
  }
  return sum;
}

Need need_of(const Point& point, int cluster_threads, double share, const Waited& waited, Limit::Kind kind) {
  Need need;
  need.limit.kind = kind;
  need.limit.name = kind == Limit::Kind::chain ? "latency" : "irregular access";
  need.limit.threads = cluster_threads;
  const double threads = cluster_threads;
  need.lo = share * waited.lo / threads / point.seconds;
  need.hi = share * waited.hi / threads / point.seconds;
  need.share = (need.lo + need.hi) / 2;
  need.bytes = share * waited.bytes;
  return need;
}

// The roof in GB/s that belongs to the shares.
void set_roof(const Point& point, Need& need) {
  need.limit.rate = need.bytes / point.seconds / 1e9;
  need.limit.value = need.limit.rate / need.share;
  need.limit.lo = need.limit.rate / need.hi;
  need.limit.hi = need.limit.rate / need.lo;
  need.limit.fitted = !need.is_range;
}

constexpr double most_at_once = 10;  // line fill buffers of a core

// More than all of the time, or a part of it that nobody knows: the need is as small as can be.
void make_range(Need& need) {
  need.is_range = true;
  need.hi = std::min(need.hi, 1.0);
  need.lo = std::min(need.lo, need.hi);
  need.share = need.lo;
}

std::optional<Need> chain_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  constexpr double overlap = 1.1;  // more time than this proves that chains overlap
  const Waited chained = waited(roofs, point, cluster, [](const LevelBytes& level) { return level.chained; });
  if (chained.bytes <= 0 || !chained.known) return std::nullopt;
  Need need = need_of(point, threads, cluster_share(roofs, point), chained, Limit::Kind::chain);
  if (need.lo > overlap) {
    need.lo /= most_at_once;
    make_range(need);
  }
  return need;
}

bool is_random(const Case& spec, const Point& point, const std::map<int, double>& shares) {
  return spec.kind == Kind::random && is_memory(spec.level) && is_one_to_one(spec.pattern) && point.alone &&
         (shares.empty() || shares.contains(spec.node));
}

// Million lines per second: the least and the most of those measured with several page sizes.
std::optional<Range> random_rate(const Roofs& roofs, const Point& point, int cluster) {
  const std::map<int, double> shares = node_shares(point);
  const int cores = cores_used(roofs, point, cluster);
  const auto fits = [&](const Case& spec) {
    return spec.cluster == cluster && is_random(spec, point, shares);
  };
  const int threads = judging_threads(roofs, cluster, cores, fits);
  std::optional<Range> own, any;
  for (const Roof& roof : roofs.roofs) {
    const bool other_threads = threads > 0 && roof.spec.threads != threads;
    if (roof.status != Status::ok || !fits(roof.spec) || !has_threads(roof, cores) || other_threads) continue;
    widen(any, roof);
    if (may_be_on(point, roof.spec.pages)) widen(own, roof);
  }
  return own ? own : any;
}

std::optional<Need> irregular_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  const double lines = point.levels.back().irregular / profile_line_bytes;
  if (lines <= 0 || !is_memory(point.levels.back().level)) return std::nullopt;
  if (const auto rate = random_rate(roofs, point, cluster)) {
    Need need;
    need.limit.kind = Limit::Kind::irregular;
    need.limit.name = "random loads";
    need.limit.threads = threads;
    need.bytes = cluster_share(roofs, point) * point.levels.back().irregular;
    const double per_second = cluster_share(roofs, point) * lines / point.seconds / 1e6;
    // Code that finds its addresses more cheaply than the measured loop may be faster.
    need.lo = std::min(per_second / rate->hi, 1.0);
    need.hi = std::min(per_second / rate->lo, 1.0);
    need.share = (need.lo + need.hi) / 2;
    return need;
  }
  const Waited irregular = waited(roofs, point, cluster, [](const LevelBytes& level) {
    return is_memory(level.level) ? level.irregular : 0;
  });
  if (irregular.bytes <= 0 || !irregular.known) return std::nullopt;
  Need need = need_of(point, threads, cluster_share(roofs, point), irregular, Limit::Kind::irregular);
  need.lo /= most_at_once;
  make_range(need);
  return need;
}

}  // namespace

std::vector<Need> waiting_needs(const Roofs& roofs, const Point& point, int cluster) {
  const int threads = cores_used(roofs, point, cluster);
  std::vector<Need> needs;
  if (threads <= 0 || point.levels.empty()) return needs;
  for (std::optional<Need> need :
       {chain_need(roofs, point, cluster, threads), irregular_need(roofs, point, cluster, threads)}) {
    if (!need) continue;
    set_roof(point, *need);
    needs.push_back(*std::move(need));
  }
  return needs;
}

}  // namespace gable::model
